import FoundationEssentials
import Testing
import WebImageCore
import WebImagePixels
import WebImagePresentation
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// The placeholder `.cachedHash`, which comes from the disk some time after the load has begun.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct CachedHashTests {
    private let bench: ViewBench
    private let cache: SuspendedCache
    private let entry: DiskCacheEntry

    init() throws {
        cache = SuspendedCache(holdsHeads: true)
        bench = ViewBench(manager: ManagerBench(cache: cache))
        var entry = DiskCacheEntry(data: ScriptedCoder.file(4, 4))
        entry.thumbHash = try ThumbHash(of: HashPicture.bitmap(32, 24))
        self.entry = entry
    }

    /// Begins a load that waits for its transfer, of a picture that the disk has with its hash.
    @discardableResult
    private func begin(
        _ name: String = "a.jpg", _ options: WebImageOptions = .fromLoaderOnly,
        configure: (inout WebImageContext) -> Void = { _ in },
        change: (inout ViewLoadRequest<String>) -> Void = { _ in }
    ) throws -> LoadRecorder {
        try bench.load(name, options, placeholder: .cachedHash, configure: configure, change: change)
    }

    @Test("the view is empty, then shows the hash that the disk has, then the picture")
    func road() async throws {
        cache.put(entry, for: ManagerBench.key())
        let load = try begin()
        #expect(bench.story() == ["image shows placeholder nothing", "is loading"])
        cache.answerHead()
        #expect(bench.story() == ["image shows placeholder 32x23"])
        try await bench.manager.transfer().finish(ScriptedCoder.file(4, 4))
        _ = await load.outcome()
        #expect(bench.story().contains("image shows final 4x4"))
    }

    @Test("a hash that is found after the picture is not shown")
    func late() async throws {
        cache.put(entry, for: ManagerBench.key())
        let load = try begin()
        try await bench.manager.transfer().finish(ScriptedCoder.file(4, 4))
        _ = await load.outcome()
        _ = bench.story()
        #expect(cache.heads.count == 1)
        cache.answerHead()
        #expect(bench.story().isEmpty)
    }

    @Test("nor after a preliminary picture, a failure, a cancellation or the next load", arguments: 0..<4)
    func overtaken(number: Int) async throws {
        cache.put(entry, for: ManagerBench.key())
        switch number {
        case 0:
            try begin("a.jpg", [.refreshCached])
            _ = try await bench.manager.transfer()
        case 1:
            let load = try begin()
            try await bench.manager.transfer().fail(.scriptedFailure)
            _ = await load.outcome()
        case 2:
            try begin()
            bench.view.cancel(.image)
        default:
            try begin()
            try bench.load("b.jpg", .fromLoaderOnly, placeholder: .plain(1, 1))
        }
        _ = bench.story()
        #expect(cache.heads.count == 1)
        cache.answerHead()
        #expect(bench.story().isEmpty)
    }

    @Test("a picture in memory needs no hash, and other placeholders look for none")
    func memory() async throws {
        cache.put(entry, for: ManagerBench.key())
        cache.storeInMemory(try .plain(4, 4), for: ManagerBench.key())
        try bench.load(placeholder: .cachedHash)
        #expect(
            bench.story().filter { $0 != "is loaded" } == [
                "image shows immediate 4x4", "a.jpg brought 4x4 from memory",
            ])
        try bench.load("b.jpg", placeholder: .plain(1, 1))
        try bench.load("c.jpg")
        #expect(cache.heads.isEmpty)
    }

    @Test("an entry without a hash, a damaged hash and no entry leave the view empty", arguments: 0..<3)
    func none(number: Int) throws {
        var entry = DiskCacheEntry(data: ScriptedCoder.file(4, 4))
        if number == 1 { entry.headers = [":thumbhash": "damaged"] }
        if number < 2 { cache.put(entry, for: ManagerBench.key()) }
        try begin()
        _ = bench.story()
        cache.answerHead()
        #expect(bench.story().isEmpty && cache.heads.isEmpty)
    }

    @Test("the hash of a picture that the load may not see is not shown")
    func rights() throws {
        var entry = entry
        entry.rights.acceptsAnyCertificate = true
        cache.put(entry, for: ManagerBench.key())
        try begin()
        _ = bench.story()
        cache.answerHead()
        #expect(bench.story().isEmpty)
        try begin("a.jpg", [.fromLoaderOnly, .allowInvalidSSLCertificates])
        _ = bench.story()
        cache.answerHead()
        #expect(bench.story() == ["image shows placeholder 32x23"])
    }

    @Test("a thumbnail has the hash of its original, or else of its own file; tiers that are not asked have none")
    func thumbnails() throws {
        let thumbnail = ManagerBench.key().thumbnail(.square(8), preservesAspectRatio: true)
        cache.put(entry, for: thumbnail)
        try begin { $0.thumbnailPixelSize = .square(8) }
        _ = bench.story()
        #expect(cache.heads == [ManagerBench.key()])
        cache.answerHead()
        #expect(cache.heads == [thumbnail])
        cache.answerHead()
        #expect(bench.story() == ["image shows placeholder 32x23"])
        try begin {
            $0.queryCacheType = .memory
            $0.originalQueryCacheType = .noCache
        }
        #expect(cache.heads.isEmpty)
    }

    @Test("a closure that shows the pictures gets nothing, then the hash")
    func closure() throws {
        cache.put(entry, for: ManagerBench.key())
        let setter = bench.setter("app")
        try begin(change: { $0.setImage = setter })
        cache.answerHead()
        #expect(
            bench.story().filter { $0.hasPrefix("app") } == [
                "app sets nothing, no file, no cache, a.jpg", "app sets 32x23, no file, no cache, a.jpg",
            ])
    }
}
