import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImagePixels
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Manager: its own settings", .timeLimit(.minutes(5)))
struct ManagerDefaultsTests {
    private let bench = ManagerBench()

    @Test("MGR-2 a manager shows its cache, loader and coder")
    func collaborators() {
        #expect(CollaboratorIdentity(bench.manager.cache) == CollaboratorIdentity(bench.cache))
        #expect(CollaboratorIdentity(bench.manager.loader) == CollaboratorIdentity(bench.loader))
        #expect(bench.manager.coder is ScriptedCoder)
    }

    @Test(
        "CTX-26 CTX-27 MGR-3 PIPE-2 transformer, key filter and serializer of the manager serve loads without their own"
    )
    func managersOwn() async throws {
        let (serializer, own) = (ScriptedSerializer(Data("manager".utf8)), ScriptedSerializer(Data("own".utf8)))
        let manager = bench.manager
        #expect(manager.transformer == nil && manager.cacheKeyFilter == nil && manager.cacheSerializer == nil)
        #expect(manager.optionsProcessor == nil && manager.interceptors.isEmpty && manager.delegate == nil)
        manager.transformer = ScriptedTransformer("Manager")
        manager.cacheKeyFilter = ScriptedKeyFilter()
        manager.cacheSerializer = serializer
        _ = try await bench.load("x/a.jpg", .waitStoreCache, sending: ScriptedCoder.file(2, 2)).get()
        #expect(bench.cache.disk[CacheKey("a.jpg")]?.data == Data("manager".utf8))
        #expect(bench.cache.memory.keys.map(\.string) == [CacheKey("a.jpg").transformed("Manager").string])
        _ = try await bench.load("x/b.jpg", .waitStoreCache, sending: ScriptedCoder.file(2, 2)) { context in
            context.cacheSerializer = own
            context.cacheKeyFilter = ScriptedKeyFilter { $0.path() }
            context.transformer = .disabled
        }.get()
        #expect(bench.cache.disk[CacheKey("/x/b.jpg")]?.data == Data("own".utf8))
        #expect(serializer.calls.count == 2)
    }

    @Test("A10 an object that the manager held may call it during the release")
    func lettingGo() {
        final class Curious: CacheKeyFilter {
            weak let manager: WebImageManager?
            init(_ manager: WebImageManager) { self.manager = manager }
            deinit { _ = manager?.transformer }
            func cacheKey(for url: URL) -> String? { nil }
        }
        bench.manager.cacheKeyFilter = Curious(bench.manager)
        bench.manager.cacheKeyFilter = nil
        #expect(bench.manager.cacheKeyFilter == nil)
    }

    @Test("MGR-3 a change during a load holds for later loads")
    func changedWhileRunning() async throws {
        let load = try bench.load()
        bench.manager.transformer = ScriptedTransformer()
        try await bench.transfer().finish(ScriptedCoder.file(2, 2))
        #expect(try await load.result().image.pixelSize == .square(2))
    }

    @Test("MGR-4 the delegate decides about the list of failed URLs", arguments: [true, false])
    func delegateBlocks(blocks: Bool) async throws {
        let delegate = ScriptedDelegate(blocks: blocks)
        bench.manager.delegate = delegate
        let load = try bench.load()
        let error = WebImageError(
            blocks ? .timedOut : .badImageData, stage: .load, kind: blocks ? .transient : .permanent, reason: "no")
        try await bench.transfer().fail(error)
        _ = try await load.failure()
        #expect(delegate.failureQuestions == 1)
        #expect((try bench.load().failureCode == .blockedURL) == blocks)
    }

    @Test("MGR-4 a delegate that returns nil leaves the decision to the loader; it is not asked about cancellations")
    func delegateAbstains() async throws {
        let delegate = ScriptedDelegate()
        bench.manager.delegate = delegate
        try bench.load().cancel()
        #expect(delegate.failureQuestions == 0)
        #expect(try await bench.load("b.jpg", sending: Data("no".utf8)).failure != nil)
        #expect(try bench.load("b.jpg").failureCode == .blockedURL)
        #expect(delegate.downloadQuestions == 2)
    }

    @Test("MGR-4 a manager does not keep its delegate alive")
    func weakDelegate() throws {
        var delegate: ScriptedDelegate? = ScriptedDelegate(allows: false)
        bench.manager.delegate = delegate
        #expect(try bench.load().failureCode == .notCached)
        delegate = nil
        #expect(bench.manager.delegate == nil)
        _ = try bench.load()
        #expect(bench.loader.loads.count == 1)
    }

    @Test("MGR-7 the key of a URL is the filter's, else the whole URL; without a URL it is empty")
    func key() throws {
        let url = try ManagerBench.url("x/a.jpg?q")
        #expect(bench.manager.cacheKey(for: url).string == "http://host/x/a.jpg?q")
        bench.manager.cacheKeyFilter = ScriptedKeyFilter()
        #expect(bench.manager.cacheKey(for: url).string == "a.jpg")
        #expect(bench.manager.cacheKey(for: nil).string.isEmpty)
    }

    @Test(
        "MGR-8 B10 the key of a context is that of a load with it: filter, thumbnail, transformer, processor")
    func keyOfContext() async throws {
        bench.manager.transformer = ScriptedTransformer("Manager")
        bench.manager.cacheKeyFilter = ScriptedKeyFilter()
        let processor = ScriptedProcessor { request in
            guard request.url?.lastPathComponent == "plain.jpg" else { return nil }
            var request = request
            request.context.transformer = nil
            return request
        }
        bench.manager.optionsProcessor = processor
        for (name, thumbnail) in [("a.jpg", PixelSize.square(8)), ("a.jpg", nil), ("plain.jpg", nil)] {
            var context = WebImageContext()
            context.thumbnailPixelSize = thumbnail
            let key = bench.manager.cacheKey(for: try ManagerBench.url(name), context: context)
            let expected = thumbnail.map { CacheKey(name).thumbnail($0, preservesAspectRatio: true) } ?? CacheKey(name)
            #expect(key == (name == "plain.jpg" ? expected : expected.transformed("Manager")))
            _ = try await bench.load(name, [.waitStoreCache, .fromLoaderOnly], sending: ScriptedCoder.file(9, 9)) {
                $0.thumbnailPixelSize = thumbnail
            }.get()
            #expect(bench.cache.memory[key] != nil)
        }
        #expect(bench.manager.cacheKey(for: nil, context: WebImageContext()).string.isEmpty)
    }

    @Test("MGR-9 a handle cancels once, tells whether it was cancelled, and is not retained after the end")
    func handle() throws {
        let bench = ManagerBench(cache: SuspendedCache(answersAtOnce: false))
        let story = LoadStory()
        var context = WebImageContext()
        context.callbackQueue = .current
        weak let handle = bench.manager.load(try ManagerBench.url(), context: context) { story.add(.ending($0)) }
        #expect(handle?.isCancelled == false)
        do {
            let held = try #require(handle)
            for _ in 0..<3 { held.cancel() }
            #expect(held.isCancelled)
        }
        #expect(story.words == ["failed 2002"])
        #expect(handle == nil)
    }

    @Test("MGR-10 PIPE-14 a completion gets picture, bytes, tier, address and the server's answer, or the error")
    func result() async throws {
        let load = try bench.load()
        let http = HTTPResponse(url: try ManagerBench.url(), statusCode: 200, headers: ["etag": "\"1\""])
        try await bench.transfer().finish(ScriptedCoder.file(2, 2), http: http)
        let result = try await load.result()
        #expect(result.data == ScriptedCoder.file(2, 2))
        #expect(result.url == (try ManagerBench.url()))
        #expect(result.http?.headers["etag"] == "\"1\"")
        #expect(result.byteCount == 3)
        #expect(result.cacheType == .noCache)
    }

    @Test("B49 MGR-5 a load counts as running until its last stage is over")
    func running() async throws {
        let held = HeldTransform()
        bench.cache.put(ScriptedCoder.file(2, 2), for: ManagerBench.key())
        let load = try bench.load { $0.transformer = held.transformer }
        try await held.begin()
        #expect(bench.manager.isRunning)
        bench.manager.cancelAll()
        #expect(load.words == ["failed 2002"])
        #expect(!bench.manager.isRunning)
        held.goOn()
    }

    @Test("CTX-15 B9 CTX-9 decode options can be set as a whole, and one by one")
    func decodeOptions() async throws {
        let seen = Observed<[ImageDecodeOptions]>([])
        let coder = ScriptedCoder { options in seen.update { $0.append(options) } }
        var whole = ImageDecodeOptions()
        whole.thumbnailPixelSize = .square(7)
        whole.preservesAspectRatio = false
        whole.scaleDownLimitBytes = 4000
        whole.decodesFirstFrameOnly = true
        whole.decodesToHDR = true
        whole.scaleFactor = 2
        _ = try await bench.load("a.jpg", sending: ScriptedCoder.file(9, 9)) { context in
            context.coder = coder
            context.decodeOptions = whole
        }.get()
        _ = try await bench.load("b.jpg", sending: ScriptedCoder.file(9, 9)) { context in
            context.coder = coder
            context.decodeOptions = whole
            context.thumbnailPixelSize = .square(5)
            context.scaleFactor = 1
            context.scaleDownLimitBytes = 400
            context.preservesAspectRatio = true
            context.decodesToHDR = false
        }.get()
        let (first, second) = (seen.value[0], seen.value[1])
        #expect(first.thumbnailPixelSize == .square(7))
        #expect(!first.preservesAspectRatio && first.decodesFirstFrameOnly && first.decodesToHDR)
        #expect(first.scaleDownLimitBytes == 4000 && first.scaleFactor == 2)
        #expect(second.thumbnailPixelSize == .square(5))
        #expect(second.preservesAspectRatio && second.decodesFirstFrameOnly && !second.decodesToHDR)
        #expect(second.scaleDownLimitBytes == 400 && second.scaleFactor == 1)
    }
}
