import FoundationEssentials
import Glibc
import Testing
import WebImageCache
import WebImageCore
import WebImageHTTP
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles

/// Files of this machine may change at any time: a picture in memory is of the file as it was.
@Suite("Manager: files that change", .timeLimit(.minutes(5)))
struct LocalFileTests {
    private let directory: CacheDirectory
    private let path: String
    private let manager: WebImageManager

    init() throws {
        directory = try CacheDirectory()
        path = "\(directory.path)/a.jpg"
        manager = WebImageManager(
            cache: ImageCache(memoryCache: MemoryCache(), diskCache: DictionaryDisk()), loader: FileLoader(),
            coder: ScriptedCoder(), clock: ContinuousClock(), queue: .withOwnThreads())
    }

    private var url: URL { URL(filePath: path) }
    private var small: WebImageContext {
        var context = WebImageContext()
        context.thumbnailPixelSize = .square(2)
        return context
    }

    private func write(_ side: Int, to path: String? = nil) throws {
        try ScriptedCoder.file(side, side).write(to: URL(filePath: path ?? self.path))
    }

    private func load(_ context: WebImageContext = WebImageContext()) async throws -> LoadResult {
        try await manager.result(for: ImageRequest(url, context: context))
    }

    @Test("an unchanged file comes from memory, whole and reduced")
    func unchanged() async throws {
        try write(4)
        for context in [WebImageContext(), small] { _ = try await load(context) }
        for context in [WebImageContext(), small] { #expect(try await load(context).cacheType == .memory) }
    }

    /// Ways to change a file.
    enum Change: CaseIterable, Sendable {
        /// Another file gets its name.
        case replaced
        /// Its bytes are written anew, as many as before.
        case overwritten
        /// Its name leads to another file.
        case linked

        func make(at path: String) throws {
            let other = "\(path).other"
            let bytes = ScriptedCoder.file(5, 5)
            switch self {
            case .replaced:
                try bytes.write(to: URL(filePath: other))
                #expect(rename(other, path) == 0)
            case .overwritten:
                let descriptor = open(path, O_WRONLY)
                #expect(bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) } == bytes.count)
                // Within one tick of the system's clock no file system tells.
                var times = [timespec(tv_sec: 1000, tv_nsec: 7), timespec(tv_sec: 1000, tv_nsec: 7)]
                #expect(futimens(descriptor, &times) == 0 && close(descriptor) == 0)
            case .linked:
                try bytes.write(to: URL(filePath: other))
                #expect(unlink(path) == 0 && symlink(other, path) == 0)
            }
        }
    }

    @Test("a file that was changed shows its new picture, whole and reduced", arguments: Change.allCases)
    func changed(_ change: Change) async throws {
        try write(4)
        for context in [WebImageContext(), small] { _ = try await load(context) }
        try change.make(at: path)
        for context in [WebImageContext(), small] {
            #expect(manager.imageFromMemory(for: url, context: context) == nil)
        }
        #expect(try await load().image.pixelSize == .square(5))
        let source = FileFingerprint(ScriptedCoder.file(5, 5))
        #expect(try await load(small).image.source == source)
        for context in [WebImageContext(), small] { #expect(try await load(context).cacheType == .memory) }
    }

    @Test("a file that was deleted shows nothing, and what comes in its place is shown")
    func deleted() async throws {
        try write(3)
        _ = try await load()
        #expect(unlink(path) == 0)
        #expect(manager.imageFromMemory(for: url) == nil)
        let error = await #expect(throws: WebImageError.self) { try await load() }
        #expect(error?.code == .fileNotFound)
        try write(6)
        #expect(try await load().image.pixelSize == .square(6))
    }
}
