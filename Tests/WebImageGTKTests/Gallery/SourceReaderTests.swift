import CGtk4
import Foundation
import Testing
import WebImage
import WebImageTesting

@testable import webimage_gallery

@Suite(.timeLimit(.minutes(5))) struct SourceReaderTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "gallery-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func write(_ name: String, _ text: String = "x") throws {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func read(_ arguments: String..., loader: any ImageLoader = ImageLoadersManager.shared) async
        -> FoundPictures
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        let sources = arguments.compactMap { PictureSource($0, in: folder.path) }
        #expect(sources.count == arguments.count)
        return await SourceReader(loader: loader).read(sources)
    }

    @Test("the pictures of a folder, by their names as people count, with date and size; nothing else in it")
    func folderOfPictures() async throws {
        for name in ["photo 10.jpg", "photo 2.JPG", "a%b.png", "notes.txt", ".hidden.jpg", "below/c.jpg", "e.webp"] {
            try write(name, name)
        }
        let found = await read(folder.path)
        #expect(found.complaints == [])
        #expect(found.pictures.map(\.name) == ["a%b.png", "e.webp", "photo 2.JPG", "photo 10.jpg"])
        #expect(found.pictures.map(\.url.lastPathComponent) == ["a%b.png", "e.webp", "photo 2.JPG", "photo 10.jpg"])
        #expect(found.pictures[2].byteCount == 11)
        #expect(abs(try #require(found.pictures[2].date).timeIntervalSinceNow) < 600)
    }

    @Test("what has come of a page that drips is shown before the rest, and stays when that fails")
    func drippingPage() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let loader = SuspendedLoader()
        let url = try #require(URL(string: "http://host/page"))
        let parts = Observed<[[String]]>([])
        let reading = Task {
            await SourceReader(loader: loader).read(each: [.web(url)]) { _, part in
                parts.update { $0.append(part.pictures.map(\.url.lastPathComponent)) }
            }
        }
        let load = try await loader.waitForLoad(of: url)
        load.send(Data("<html><img src=a.jpg><a href='b.jpg'><img src=small-b.j".utf8))
        try await parts.wait { $0 == [["a.jpg", "b.jpg"]] }
        load.send(Data("pg></a><img src=c.jpg><img src=d".utf8))
        try await parts.wait { $0.last == ["a.jpg", "b.jpg", "c.jpg"] }
        load.fail(WebImageError(.timedOut, stage: .load, kind: .transient, reason: "no more bytes"))
        let found = FoundPictures(await reading.value)
        #expect(found.pictures.map(\.url.lastPathComponent) == ["a.jpg", "b.jpg", "c.jpg"])
        #expect(found.complaints == ["no more bytes"])
    }

    @Test("of a folder without pictures of its own, those in its folders, one after the other; not of hidden ones")
    func folderOfFolders() async throws {
        for name in [
            "Day 10/2.jpg", "Day 10/10.jpg", "Day 9/z.jpg", "Day 10/below/c.jpg", ".thumbnails/t.jpg",
        ] {
            try write(name, name)
        }
        let found = await read(folder.path)
        #expect(found.complaints == [])
        #expect(found.pictures.map(\.name) == ["z.jpg", "2.jpg", "10.jpg"])
    }

    @Test("a folder that must not be read does not hide the others, and is the reason where there are no others")
    func lockedFolder() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write("locked/a.jpg")
        chmod(folder.appending(path: "locked").path, 0)
        defer { chmod(folder.appending(path: "locked").path, 0o700) }
        let place = PlaceFile(uri: folder.absoluteString, Cancellable())
        _ = try asAnotherUser {
            // In the language of the session.
            let reason = String(cString: strerror(EACCES))
            #expect { try place.pictures() } throws: { ("\($0)").contains(reason) }
        }
        try write("open/b.jpg")
        #expect(try asAnotherUser { try place.pictures().map(\.name) } == ["b.jpg"])
    }

    /// Opens files with another user's rights, on this thread alone: root may read everything.
    private func asAnotherUser<Value>(_ body: () throws -> Value) throws -> Value {
        let symbol = try #require(dlsym(nil, "setfsuid"))
        let set = unsafeBitCast(symbol, to: (@convention(c) (uid_t) -> CInt).self)
        _ = set(65_534)
        defer { _ = set(geteuid()) }
        return try body()
    }

    @Test("an empty folder, a missing one and one that must not be read have a message each")
    func noPictures() async throws {
        try write("notes.txt")
        let empty = await read(".")
        #expect(empty.pictures.isEmpty)
        #expect(empty.complaints.count == 1)
        #expect(empty.complaints[0].hasSuffix("there are no pictures in this folder"))
        let missing = await read("nothing/here", "nosuchscheme://host/")
        #expect(missing.pictures.isEmpty)
        #expect(missing.complaints.count == 2)
        #expect(missing.complaints[0].contains("nothing/here: "))
    }

    @Test("a folder of thousands of files is read")
    func manyFiles() async throws {
        for number in 0..<3000 {
            #expect(FileManager.default.createFile(atPath: folder.path + "/\(number).jpg", contents: nil))
        }
        let found = await read(".")
        #expect(found.pictures.count == 3000)
        #expect(found.pictures.last?.name == "2999.jpg")
    }

    @Test("files in their order, each once; one that is missing does not keep the others away")
    func files() async throws {
        for name in ["b.jpg", "a.png"] { try write(name) }
        let found = await read("b.jpg", "no.jpg", "a.png", "./b.jpg")
        #expect(found.pictures.map(\.name) == ["b.jpg", "a.png"])
        #expect(found.complaints.count == 1)
    }

    @Test("a list and a page in files, whatever their names; a picture by its bytes")
    func documents() async throws {
        try write("list", "a.jpg\nhttp://host/b.png\nhttp://\n")
        try write("list.json", "[\"c.jpg\"]")
        try write("page", "\u{FEFF}  <!doctype html><svg></svg><img src=d.jpg>")
        try write("empty.html", "<p>")
        let file = try #require(pictureFile)
        try Data(contentsOf: file).write(to: folder.appending(path: "unnamed"))
        let found = await read("list", "list.json", "page", "empty.html", "unnamed")
        #expect(
            found.pictures.map { $0.name ?? $0.url.lastPathComponent } == [
                "a.jpg", "b.png", "c.jpg", "d.jpg", "unnamed",
            ])
        #expect(found.complaints.count == 2)
        let message = "\(folder.standardizedFileURL.path)/empty.html: there are no pictures on this page"
        #expect(found.complaints.last == message)
    }

    @Test("what has the bytes of a picture that cannot be shown, or only its first letters, is none")
    func noPictureAfterAll() {
        #expect(SourceDocument(Data("BMW.jpg\nMini.jpg\n".utf8)) == .list)
        #expect(SourceDocument(Data("BM".utf8) + Data(count: 60)) == .picture)
        #expect(SourceDocument(Data("%PDF-1.7\n".utf8)) == .list)
    }

    private var pictureFile: URL? {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources")
        return sources.appending(path: "webimage-gallery/Pictures/islands-07.jpg")
    }

    @Test("pages, lists and pictures on the web; an error of the server is a message")
    func web() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/page") { _ in .text("<html><img src='a.jpg'><a href=/x/b.png>b</a>") }
        origin.serve("/list") { _ in .text("c.webp\n") }
        origin.serve("/d.jpg", .picture(try Data(contentsOf: #require(pictureFile))))
        let address = { origin.url($0).absoluteString }
        let found = await read(
            address("/page"), address("/list"), address("/d.jpg"), address("/missing"), loader: directLoader)
        #expect(found.pictures.map(\.url.path) == ["/a.jpg", "/x/b.png", "/c.webp", "/d.jpg"])
        #expect(found.complaints.count == 1)
    }

    @Test("an address with a picture's name may lead to a page, and relative addresses begin where a redirect leads to")
    func pagesWithPictureNames() async throws {
        let origin = try LoopbackOrigin.redirecting("/wiki/File:a.jpg", to: "/files/of/a", "<html><img src='b.jpg'>")
        let found = await read(origin.url("/wiki/File:a.jpg").absoluteString, loader: directLoader)
        #expect(found.pictures.map(\.url.path) == ["/files/of/b.jpg"])
    }

    @Test("a large file without a picture's name is read by its head: a picture is one, and nothing else is taken")
    func largeFiles() async throws {
        let picture = try Data(contentsOf: #require(pictureFile))
        for (name, head) in [("photo", picture), ("video", Data("no picture".utf8))] {
            try write(name)
            let handle = try FileHandle(forWritingTo: folder.appending(path: name))
            try handle.write(contentsOf: head)
            try handle.truncate(atOffset: 40 << 20)
            try handle.close()
        }
        let found = await read("photo", "video")
        #expect(found.pictures.map(\.name) == ["photo"])
        #expect(found.complaints.count == 1)
        #expect(found.complaints.first?.hasSuffix("this is neither a picture nor a list of addresses") == true)
    }

    @Test("a device without an end, and a pipe, are not read", arguments: ["/dev/zero", "pipe"])
    func devices(name: String) async throws {
        mkfifo(folder.path + "/pipe", 0o600)
        let found = await read(name)
        #expect(found.complaints.first?.hasSuffix("this is neither a file nor a folder") == true)
        let file = PlaceFile(uri: "file:///dev/zero", Cancellable())
        #expect(throws: SourceProblem(message: "this is no file with an end")) { try file.contents(limit: 1 << 20) }
    }

    @Test("a file with more bytes than the limit is not read")
    func limit() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write("a", String(repeating: "a", count: 1 << 20))
        let uri = folder.appending(path: "a").absoluteString
        #expect(try PlaceFile(uri: uri, Cancellable()).contents(limit: 1 << 20).count == 1 << 20)
        #expect(throws: SourceProblem(message: "this file has more than 0 MB")) {
            try PlaceFile(uri: uri, Cancellable()).contents(limit: (1 << 20) - 1)
        }
    }

    @Test("a size that no file has is unknown")
    func impossibleSize() throws {
        let info: OpaquePointer = g_file_info_new()
        defer { g_object_unref(UnsafeMutableRawPointer(info)) }
        g_file_info_set_attribute_uint64(info, "standard::size", .max)
        #expect(PlaceFile.picture(info, at: URL(filePath: "/a.jpg")).byteCount == nil)
    }
}
