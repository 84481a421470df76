import FoundationEssentials
import Testing
import WebImageCache
import WebImageCore
import WebImageHTTP
import WebImageTesting

@testable import WebImageLoading
@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// A picture that a load gets with special rights is seen by loads with the same rights only.
@Suite("Manager: rights travel with the bytes", .timeLimit(.minutes(5)))
struct LoadRightsTests {
    private static let key = ManagerBench.key()
    private static let alice = DownloadCredential(user: "alice", password: "secret")

    private struct Reverser: DownloadDecryptor {
        var identifier: String
        func decrypt(_ data: Data, response: HTTPResponse?) -> Data? { data }
    }

    /// A way to load, with rights of its own.
    struct Way: Sendable, CustomStringConvertible {
        let description: String
        var options: WebImageOptions = []
        let configure: @Sendable (inout WebImageContext) -> Void

        static let plain = Way(description: "plain") { _ in }
        static let lenient = Way(description: "any certificate", options: .allowInvalidSSLCertificates) { _ in }
        static let alice = Way(description: "alice") { $0.downloadCredential = LoadRightsTests.alice }
        static let bob = Way(description: "bob") { $0.downloadCredential = .init(user: "bob", password: "secret") }
        static let decrypting = Way(description: "a decryptor") { $0.downloadDecryptor = Reverser(identifier: "a") }
        static let decryptingOtherwise = Way(description: "another") {
            $0.downloadDecryptor = Reverser(identifier: "b")
        }
    }

    private let bench = ManagerBench()

    private func start(_ way: Way, _ options: WebImageOptions = []) throws -> ManagedLoad {
        try bench.load("a.jpg", way.options.union(options), configure: way.configure)
    }

    private func load(_ way: Way, sending side: Int) async throws {
        let next = bench.loader.loads.count + 1
        let load = try start(way, .waitStoreCache)
        try await bench.transfer(next).finish(ScriptedCoder.file(side, side))
        _ = try await load.result()
    }

    @Test(
        "OPT-6 what was loaded with a right is not shown to loads without it, from memory or disk",
        arguments: [
            (Way.lenient, Way.plain), (.alice, .plain), (.alice, .bob), (.decrypting, .plain),
            (.decrypting, .decryptingOtherwise), (.lenient, .alice),
        ], [ImageCacheType.memory, .disk])
    func hidden(ways: (got: Way, asking: Way), tier: ImageCacheType) async throws {
        try await load(ways.got, sending: 2)
        bench.cache.clear(tier == .memory ? .disk : .memory, completion: nil)
        let again = try start(ways.asking, .waitStoreCache)
        try await bench.transfer(2).finish(ScriptedCoder.file(3, 3))
        _ = try await again.result()
        #expect(again.words == ["loaded 3x3"])
        // The load that asks replaces the entry, which all of its kind see.
        let later = try start(ways.asking)
        _ = try await later.result()
        #expect(later.words == ["memory 3x3"])
    }

    @Test(
        "OPT-6 loads with the same right, or with more than was needed, see it",
        arguments: [
            (Way.lenient, Way.lenient), (.alice, .alice), (.decrypting, .decrypting), (.plain, .lenient),
            (.plain, .alice), (.plain, .decrypting),
        ], [ImageCacheType.memory, .disk])
    func seen(ways: (got: Way, asking: Way), tier: ImageCacheType) async throws {
        try await load(ways.got, sending: 2)
        bench.cache.clear(tier == .memory ? .disk : .memory, completion: nil)
        let again = try start(ways.asking)
        _ = try await again.result()
        #expect(again.words == ["\(tier == .memory ? "memory" : "disk") 2x2"])
    }

    @Test("OPT-6 a thumbnail keeps the rights of its file, in memory and in its own file")
    func derived() async throws {
        let thumbnail = Self.key.thumbnail(.square(8), preservesAspectRatio: true)
        let load = try bench.load("a.jpg", [.allowInvalidSSLCertificates, .waitStoreCache]) {
            $0.thumbnailPixelSize = .square(8)
        }
        try await bench.transfer().finish(ScriptedCoder.file(50, 50))
        _ = try await load.result()
        #expect(bench.cache.disk[thumbnail]?.rights.acceptsAnyCertificate == true)
        #expect(bench.cache.disk[Self.key]?.rights.acceptsAnyCertificate == true)
        for tiers in [ImageCacheType.noCache, .memory] {
            bench.cache.clear(tiers, completion: nil)
            let again = try bench.load("a.jpg", .fromCacheOnly) { $0.thumbnailPixelSize = .square(8) }
            #expect(try await again.failure().code == .notCached)
        }
    }

    @Test("OPT-6 a load that checks does not wait for, or take, the decode of equal bytes that were not checked")
    func decodesApart() async throws {
        let gate = Gate()
        let coder = ScriptedCoder(willDecode: { _ in gate.waitBlocking() })
        let bench = ManagerBench(coder: coder)
        let lenient = try bench.load("a.jpg", .allowInvalidSSLCertificates)
        try await bench.transfer(1).finish(ScriptedCoder.file(2, 2))
        let strict = try bench.load("a.jpg")
        try await bench.transfer(2).finish(ScriptedCoder.file(2, 2))
        gate.open()
        let images = [try await lenient.result().image, try await strict.result().image]
        #expect(images.map(\.origin.rights.acceptsAnyCertificate) == [true, false])
        #expect(coder.decodeCount == 2)
    }

    @Test("OPT-6 the password of an address is a right of its load, too")
    func addressWithPassword() async throws {
        let url = try #require(URL(string: "http://alice:secret@host/a.jpg"))
        let plan = LoadPlan(
            url: url, request: ImageRequest(url),
            defaults: LoadDefaults(cache: bench.cache, loader: bench.loader, coder: ScriptedCoder()))
        var context = WebImageContext()
        context.downloadCredential = Self.alice
        let plain = try ManagerBench.url()
        let other = LoadPlan(
            url: plain, request: ImageRequest(plain, context: context),
            defaults: LoadDefaults(cache: bench.cache, loader: bench.loader, coder: ScriptedCoder()))
        #expect(plan.rights.credential != 0)
        #expect(plan.rights == other.rights)
    }

    @Test("OPT-6 what the downloader's own credential has brought is not shown to loads without it")
    func downloaderCredential() async throws {
        let cache = ImageCache(memoryCache: MemoryCache(), diskCache: DictionaryDisk())
        let (getter, other) = (SuspendedLoader(), SuspendedLoader())
        let registered = ImageLoadersManager(loaders: [Identified(loader: getter, credential: Self.alice)])
        let knowing = WebImageManager(cache: cache, loader: registered, coder: ScriptedCoder())
        let stranger = WebImageManager(cache: cache, loader: other, coder: ScriptedCoder())
        let request = ImageRequest(try ManagerBench.url(), options: .waitStoreCache)
        let load = knowing.observed(request)
        try await getter.waitForLoads(1)[0].finish(ScriptedCoder.file(2, 2))
        _ = try await load.result()
        for isInMemory in [true, false] {
            if !isInMemory { cache.clear(.memory, completion: nil) }
            let hidden = stranger.observed(ImageRequest(try ManagerBench.url(), options: .fromCacheOnly))
            #expect(try await hidden.failure().code == .notCached)
            let own = knowing.observed(request)
            _ = try await own.result()
            #expect(own.words == ["\(isInMemory ? "memory" : "disk") 2x2"])
        }
        // The same credential is the same right, whoever has it.
        var context = WebImageContext()
        context.downloadCredential = Self.alice
        let named = stranger.observed(ImageRequest(try ManagerBench.url(), context: context))
        _ = try await named.result()
        #expect(named.words == ["memory 2x2"])
    }

    @Test("DL-8 the downloader tells the credential of its configuration")
    func configuredCredential() throws {
        var config = WebImageDownloaderConfig()
        config.credential = Self.alice
        let url = try ManagerBench.url()
        #expect(WebImageDownloader(config: config).credential(for: url) == Self.alice)
        #expect(WebImageDownloader(config: WebImageDownloaderConfig()).credential(for: url) == nil)
    }

    /// A loader with a credential of its own.
    private struct Identified: ImageLoader {
        let loader: SuspendedLoader
        let credential: DownloadCredential

        func canLoad(_ url: URL) -> Bool { true }
        func credential(for url: URL) -> DownloadCredential? { credential }
        func load(
            _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
        ) -> any CancellableTask { loader.load(request, receive: receive) }
    }

    @Test("DL-8 it tells what stands for a client certificate, by host")
    func otherCredentials() throws {
        let downloader = WebImageDownloader()
        var config = downloader.config
        config.clientCertificates["certified.test"] = .init(certificateFile: "/a.pem", keyFile: "/b.pem")
        downloader.config = config
        let credential = { (host: String) in
            try downloader.credential(for: #require(URL(string: "https://\(host)/a.jpg")))
        }
        #expect(try credential("Certified.test")?.password == "/a.pem /b.pem")
        #expect(try credential("other.test") == nil)
        config.credential = Self.alice
        downloader.config = config
        #expect(try credential("certified.test") == Self.alice)
    }

    @Test("OPT-6 explain says that a picture is there and not for this load")
    func explained() async throws {
        try await load(.lenient, sending: 2)
        let url = try ManagerBench.url()
        let strict = bench.manager.explain(url)
        #expect(strict.findings == [.hiddenInMemory])
        #expect(strict.reads.first?.isFound == false)
        let lenient = bench.manager.explain(url, options: .allowInvalidSSLCertificates)
        #expect(lenient.findings == [.anyCertificate])
        #expect(lenient.reads.first?.isFound == true)
    }

    @Test("OPT-6 a query of a cache sees what was loaded with any certificate only with the same option")
    func queries() async throws {
        try await load(.lenient, sending: 2)
        #expect(bench.cache.imageFromMemory(for: Self.key, options: []) == nil)
        #expect(bench.cache.imageFromMemory(for: Self.key, options: .allowInvalidSSLCertificates) != nil)
        bench.cache.clear(.memory, completion: nil)
        #expect(try await bench.cache.queryImage(for: Self.key) == nil)
    }

    @Test("OPT-6 an app that stores a picture keeps the rights with which it was loaded")
    func storedByApp() async throws {
        let directory = try CacheDirectory()
        let cache = ImageCache(directory: directory.path)
        var rights = LoadRights()
        rights.acceptsAnyCertificate = true
        let image = try Image.plain(2, 2).made(from: ImageOrigin(rights: rights))
        try await cache.store(ImageCacheRecord(Self.key, image: image, data: Data("x".utf8)))
        #expect(try cache.queryDiskBlocking(for: Self.key)?.rights == rights)
    }

    // MARK: no-store

    private func answer(_ fields: [String: String], status: Int = 200) throws -> HTTPResponse {
        HTTPResponse(url: try ManagerBench.url(), statusCode: status, headers: fields)
    }

    private func loadForbidden(
        _ field: String, _ options: WebImageOptions = .waitStoreCache,
        configure: (inout WebImageContext) -> Void = { _ in }
    ) async throws {
        let next = bench.loader.loads.count + 1
        let load = try bench.load("a.jpg", options, configure: configure)
        try await bench.transfer(next).finish(
            ScriptedCoder.file(4, 4), http: try answer(["cache-control": field]))
        _ = try await load.result()
    }

    @Test(
        "DL-24 what a server forbids to store gets no file, and is in memory like any other",
        arguments: ["no-store", "max-age=60, No-Store", "private,no-store"], [true, false])
    func noStore(field: String, isThumbnail: Bool) async throws {
        try await loadForbidden(field) { if isThumbnail { $0.thumbnailPixelSize = .square(2) } }
        #expect(bench.cache.disk.isEmpty)
        #expect(bench.cache.memory.count == 1)
    }

    @Test("DL-24 a setting writes it all the same, and a cache that understands the status may")
    func ignoredNoStore() async throws {
        try await loadForbidden("no-store") {
            $0.httpCachePolicy = HTTPCachePolicy()
            $0.httpCachePolicy?.ignoresNoStore = true
        }
        #expect(bench.cache.disk[Self.key] != nil)
        bench.cache.clear(.all, completion: nil)
        try await loadForbidden("no-store, must-understand")
        #expect(bench.cache.disk[Self.key] != nil)
    }

    @Test("DL-24 a newer picture that gets no file does not leave the file of the older one")
    func olderFile() async throws {
        bench.cache.put(ScriptedCoder.file(2, 2), for: Self.key)
        try await loadForbidden("no-store", [.fromLoaderOnly, .waitStoreCache])
        #expect(bench.cache.disk.isEmpty)
    }
}
