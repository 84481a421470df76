import Foundation
import Testing

@testable import webimage_gallery

@Suite(.timeLimit(.minutes(5))) struct GalleryStateTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "state-\(UUID().uuidString)")
    private var file: String { folder.appending(path: "below/state.ini").path }

    private func state(_ text: String) throws -> GalleryState {
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = URL(filePath: file)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
        return GalleryState(file: file)
    }

    @Test("what is written is read again, in a folder that is made for it")
    func roundTrip() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var state = GalleryState()
        let addresses = ["file:///tmp/a;b%20c", "mtp://phone/DCIM", "https://host/?a=b;c"]
        state.sources = addresses.compactMap { PictureSource($0) }
        state.top = URL(string: "mtp://phone/DCIM/a%20b.jpg")
        state.order = PictureOrder(key: .date, isDescending: true)
        state.transition = .curl
        state.diskLimit = .unlimited
        (state.width, state.height, state.isMaximized) = (800, 600, true)
        try state.write(to: file)
        #expect(GalleryState(file: file) == state)
    }

    @Test(
        "a missing file is as at first, and a damaged one", arguments: ["", "[gallery", "\0\0\0", "[other]\nwidth=300"])
    func damaged(text: String) throws {
        #expect(GalleryState(file: "/nonexistent/state.ini") == GalleryState())
        #expect(try state(text) == GalleryState())
    }

    @Test("what is no file, or far too large, is as at first, and nothing waits for it")
    func strangeFiles() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (pipe, sparse, link) = ("\(folder.path)/pipe", "\(folder.path)/sparse", "\(folder.path)/link")
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(GalleryState(file: pipe) == GalleryState())
        try Data("[gallery]\nwidth=300\n".utf8).write(to: URL(filePath: sparse))
        #expect(symlink(sparse, link) == 0)
        #expect(GalleryState(file: link).width == 300, "a link to the file is followed")
        #expect(truncate(sparse, 1 << 40) == 0)
        #expect(GalleryState(file: sparse) == GalleryState())
    }

    @Test("values that make no sense are as at first, and the others are read")
    func wrongValues() throws {
        let state = try state(
            """
            [gallery]
            sources=;http://;/tmp/a.jpg;
            sort=colour
            descending=perhaps
            transition=explosion
            disk-limit=-4
            width=100000
            height=700
            """)
        var expected = GalleryState()
        expected.sources = [.place("file:///tmp/a.jpg")]
        expected.height = 700
        #expect(state == expected)
    }

    @Test("the files of a large drop are remembered, but not without a limit")
    func manySources() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var state = GalleryState()
        state.sources = (0..<GalleryState.sourceLimit).map { .place("file:///\($0).jpg") }
        try state.write(to: file)
        let isRead = GalleryState(file: file) == state
        #expect(isRead, "the comparison itself would print all of them")
        state.sources.append(.place("file:///a.jpg"))
        try state.write(to: file)
        #expect(GalleryState(file: file).sources.isEmpty)
    }

    @Test("a folder that cannot be made is an error with its name")
    func unwritable() {
        #expect(throws: SourceProblem.self) { try GalleryState().write(to: "/proc/nothing/state.ini") }
    }
}
