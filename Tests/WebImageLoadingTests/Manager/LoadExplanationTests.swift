import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageHTTP
import WebImageLoading
import WebImagePixels
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Load explanation", .timeLimit(.minutes(5)))
struct LoadExplanationTests {
    private let cache = SuspendedCache()
    private let loader = SuspendedLoader(schemes: ["http", "file"])
    private let url = URL(string: "http://host/a.jpg") ?? URL(filePath: "/")

    private var manager: WebImageManager { WebImageManager(cache: cache, loader: loader, coder: ScriptedCoder()) }

    private static let processor = ScriptedProcessor { request in
        var request = request
        request.options.insert(.retryFailed)
        request.context.transformer = nil
        return request
    }

    private struct Modifier: DownloadRequestModifier {
        func modify(_ request: ImageLoadRequest) -> ImageLoadRequest? { request }
    }

    // MARK: Words

    @Test("a plan is printed in a few aligned lines")
    func description() throws {
        var context = WebImageContext()
        context.thumbnailPixelSize = PixelSize(width: 300, height: 200)
        context.transformer = ImageFlippingTransformer(horizontal: true, vertical: false)
        context.scaleFactor = 2
        context.httpHeaders = ["X-One": "secret", "Accept": "image/webp"]
        context.timeout = .seconds(5)
        let explanation = manager.explain(url, options: [.highPriority, .transformVectorImage], context: context)
        let key = "http://host/a-Thumbnail(%7B300.000000,200.000000%7D,1)"
        #expect(
            explanation.description == """
                http://host/a.jpg
                  names       original  http://host/a.jpg
                              result    \(key)-SDImageFlippingTransformer(1,0).jpg
                              memory    \(key)-SDImageFlippingTransformer(1,0).jpg (scale 2.0)
                  options     highPriority, transformVectorImage
                  reads       1 memory  result, not there now
                              2 disk    result
                              3 disk    original
                  loads       by SuspendedLoader, high priority, times out after 5.0 s without a byte, header fields Accept, X-One
                  decodes     by ScriptedCoder, to fit 300×200, probably JPEG, 2.0 pixels per point
                  transforms  SDImageFlippingTransformer(1,0)
                  writes      memory  result
                              disk    original
                              disk    result
                  notes       animations are not transformed; transformAnimatedImage would
                """)
    }

    @Test("no password, credential or value of a header field is in the words")
    func secrets() throws {
        var context = WebImageContext()
        context.httpHeaders = ["Authorization": "Bearer hush"]
        context.downloadCredential = DownloadCredential(user: "me", password: "hush")
        context.thumbnailPixelSize = PixelSize(width: 3, height: 3)
        let secret = try #require(URL(string: "http://me:hush@host/a.jpg"))
        let manager = manager
        manager.interceptors = [
            ScriptedInterceptor { request in
                var request = request
                request.context.downloadCredential = DownloadCredential(user: "you", password: "hush, too")
                return .proceed(request)
            }
        ]
        let explanation = manager.explain(secret, context: context)
        #expect(!explanation.description.contains("hush"), "\(explanation)")
        #expect(explanation.description.contains("me:***@host") && explanation.description.contains("Authorization"))
        #expect(explanation.keys?.original == CacheKey(secret.absoluteString))
    }

    @Test("an address of a megabyte is printed in a line like others")
    func longAddress() throws {
        let url = try #require(URL(string: "data:image/png;base64," + String(repeating: "A", count: 1 << 20)))
        #expect(manager.explain(url).description.count < 3000)
    }

    // MARK: Actions

    @Test("memory is queried, and nothing else is touched")
    func touchesNothing() throws {
        #expect(manager.explain(url).reads.map(\.isFound) == [false, nil])
        cache.storeInMemory(try WebImageManagerTests.picture(), for: CacheKey(url.absoluteString))
        #expect(manager.explain(url).reads.map(\.isFound) == [true, nil])
        #expect(cache.queries.isEmpty && cache.reads.isEmpty && cache.stores.isEmpty && loader.loads.isEmpty)
    }

    @Test("B10 the name of the finished picture is the same everywhere, whatever the processor does")
    func oneSource() {
        let manager = manager
        manager.transformer = ImageFlippingTransformer(horizontal: true, vertical: false)
        #expect(manager.explain(url).keys?.result == manager.cacheKey(for: url, context: WebImageContext()))
        manager.optionsProcessor = Self.processor
        #expect(manager.explain(url).keys?.result == CacheKey(url.absoluteString))
        #expect(manager.explain(url).keys?.result == manager.cacheKey(for: url, context: WebImageContext()))
    }

    @Test("the steps of the processor and the interceptors are listed in order, until one ends the load")
    func interceptions() {
        let manager = manager
        manager.transformer = ImageFlippingTransformer(horizontal: true, vertical: false)
        manager.optionsProcessor = Self.processor
        let key = PixelSize(width: 1, height: 1)
        manager.interceptors = [
            ScriptedInterceptor { .proceed($0) },
            ScriptedInterceptor { request in
                var request = request
                request.url = URL(string: "http://mirror/a.jpg")
                request.options.remove(.lowPriority)
                request.context.thumbnailPixelSize = key
                return .proceed(request)
            },
            RetryInterceptor(),
            ScriptedInterceptor { _ in .finish(.failure(.cancelled())) },
            ScriptedInterceptor { .proceed($0) },
        ]
        let explanation = manager.explain(url, options: .lowPriority)
        #expect(
            explanation.interceptions.map(\.effect) == [
                .changes(["+retryFailed", "transformer"]), .unchanged,
                .changes(["url", "-lowPriority", "thumbnailPixelSize"]), .takesOver, .answers(isPicture: false),
            ])
        #expect(explanation.interceptions.map(\.interceptor).prefix(2) == ["ScriptedProcessor", "ScriptedInterceptor"])
        #expect(explanation.request.url?.host() == "mirror")
        #expect(explanation.loading == nil && explanation.reads.isEmpty && explanation.writes.isEmpty)
        #expect(explanation.description.contains("RetryInterceptor takes the load over; this is the plan"))
    }

    @Test("an interceptor that takes over does not hide the plan")
    func takesOver() {
        let manager = manager
        manager.interceptors = [RetryInterceptor()]
        #expect(manager.explain(url).loading != nil)
    }

    @Test("the reason of an immediate failure is given, by the error of the load")
    func refusals() async throws {
        let manager = manager
        #expect(manager.explain(nil).refusal?.code == .invalidURL)
        #expect(manager.explain(nil).description.contains("fails  there is no URL"))
        let recorder = LoadRecorder()
        manager.load(url, completed: recorder.completed)
        try await loader.waitForLoad(of: url).finish(Data("no picture".utf8))
        _ = await recorder.outcome()
        let blocked = manager.explain(url)
        #expect(blocked.refusal?.code == .blockedURL)
        #expect(blocked.reads.isEmpty && blocked.loading == nil && blocked.keys != nil)
        #expect(manager.explain(url, options: .retryFailed).refusal == nil)
        #expect(manager.explain(url, options: .retryFailed).findings == [.failedBefore])
    }

    @Test("the reason for not loading is given: no loader, or the delegate")
    func refusedLoads() throws {
        let manager = manager
        let ftp = try #require(URL(string: "ftp://host/a.jpg"))
        #expect(manager.explain(ftp).loading?.refusal?.code == .unsupportedScheme)
        #expect(manager.explain(ftp).writes.isEmpty)
        let delegate = ScriptedDelegate(allows: false)
        manager.delegate = delegate
        #expect(manager.explain(url).loading?.refusal?.kind == .policy)
        #expect(manager.explain(url).description.contains("loads    refused: the picture is in no cache"))
        #expect(manager.explain(url, options: .fromCacheOnly).description.contains("loads    not at all\n"))
    }

    @Test("among several loaders, that of the address is named")
    func loaderOfAddress() {
        let manager = WebImageManager(
            cache: cache, loader: ImageLoadersManager(loaders: [ImageLoadersManager.shared]), coder: ScriptedCoder())
        #expect(manager.explain(url).loading?.loader == "WebImageDownloader")
        #expect(manager.explain(URL(filePath: "/a.jpg")).loading?.loader == "FileLoader")
    }

    // MARK: Notes

    struct NoteCase: Sendable, CustomTestStringConvertible {
        let note: LoadExplanation.Note
        var options: WebImageOptions = []
        var context: @Sendable (inout WebImageContext) -> Void = { _ in }
        var manager: @Sendable (WebImageManager) -> Void = { _ in }
        var testDescription: String { note.rawValue }
    }

    private static let size = PixelSize(width: 3, height: 3)
    private static let flip = ImageFlippingTransformer(horizontal: true, vertical: false)

    static let noteCases: [NoteCase] = [
        NoteCase(note: .highPriorityWins, options: [.highPriority, .lowPriority]),
        NoteCase(note: .nothingToFind, options: [.fromCacheOnly, .fromLoaderOnly]),
        NoteCase(note: .refreshNeedsCacheAndLoader, options: [.refreshCached, .fromCacheOnly]),
        NoteCase(
            note: .refreshLeavesOriginalAlone, options: .refreshCached, context: { $0.thumbnailPixelSize = size }),
        NoteCase(
            note: .refreshDelaysPartialPictures, options: [.refreshCached, .progressiveLoad],
            context: { $0.coder = ImageCodersManager.shared }),
        NoteCase(note: .memoryDataSyncNeedsMemoryData, options: .queryMemoryDataSync),
        NoteCase(
            note: .derivedPictureHasNoData, options: .queryMemoryData, context: { $0.thumbnailPixelSize = size }),
        NoteCase(note: .blocksCaller, options: .queryDiskDataSync),
        NoteCase(note: .blocksCaller, options: [.queryMemoryData, .queryMemoryDataSync]),
        NoteCase(note: .viewOptionsNeedView, options: .delayPlaceholder),
        NoteCase(note: .firstFrameBeatsAnimatedClass, options: [.decodeFirstFrameOnly, .preloadAllFrames]),
        NoteCase(note: .animatedClassMissing, options: .matchAnimatedImageClass),
        NoteCase(
            note: .limitBeatsThumbnail, options: .scaleDownLargeImages, context: { $0.thumbnailPixelSize = size }),
        NoteCase(
            note: .ownLimitBeatsDefault, options: .scaleDownLargeImages, context: { $0.scaleDownLimitBytes = 99 }),
        NoteCase(
            note: .noPartialsOfEncrypted, options: .progressiveLoad,
            context: { $0.downloadDecryptor = UnchangingDecryptor() }),
        NoteCase(note: .noPartialsFromCoder, options: .progressiveLoad),
        NoteCase(note: .avoidDecodeHasNoEffect, options: .avoidDecodeImage),
        NoteCase(
            note: .transformerSwitchedOff, context: { $0.transformer = .disabled },
            manager: { $0.transformer = flip }),
        NoteCase(note: .animationsNotTransformed, context: { $0.transformer = flip }),
        NoteCase(note: .vectorsNotTransformed, context: { $0.transformer = flip }),
        NoteCase(
            note: .unusualPixelsNotOnDisk,
            context: {
                $0.thumbnailPixelSize = size
                $0.decodesToHDR = true
            }),
        NoteCase(
            note: .firstFrameNotOnDisk, options: .decodeFirstFrameOnly, context: { $0.thumbnailPixelSize = size }),
        NoteCase(note: .resultNotStored, context: { $0.storeCacheType = .noCache }),
        NoteCase(
            note: .thumbnailNeedsBytes,
            context: {
                $0.thumbnailPixelSize = size
                $0.originalQueryCacheType = .all
            }),
        NoteCase(note: .serverDecides, context: { $0.httpCachePolicy = .http }),
        NoteCase(note: .offline, manager: { $0.isOffline = true }),
        NoteCase(note: .managerHTTPCachePolicy, manager: { $0.httpCachePolicy = .http }),
        NoteCase(note: .managerTransformer, manager: { $0.transformer = flip }),
        NoteCase(note: .managerKeyFilter, manager: { $0.cacheKeyFilter = ScriptedKeyFilter() }),
        NoteCase(note: .managerSerializer, manager: { $0.cacheSerializer = ScriptedSerializer(nil) }),
        NoteCase(note: .noBackgroundTasks, options: .continueInBackground),
        NoteCase(note: .anyCertificate, options: .allowInvalidSSLCertificates),
        NoteCase(note: .requestModified, context: { $0.downloadRequestModifier = Modifier() }),
        NoteCase(note: .notComparable, context: { $0.downloadRequestModifier = Modifier() }),
    ]

    @Test("each note appears when its settings meet, and a plain load has none", arguments: noteCases)
    func note(_ example: NoteCase) {
        let manager = manager
        #expect(manager.explain(url).notes.isEmpty)
        example.manager(manager)
        var context = WebImageContext()
        example.context(&context)
        let explanation = manager.explain(url, options: example.options, context: context)
        #expect(explanation.findings.contains(example.note))
        #expect(explanation.notes == explanation.findings.map(\.description))
    }

    @Test("the pixels that are kept are told")
    func keptPixels() {
        var context = WebImageContext()
        context.decodesToHDR = true
        #expect(!manager.explain(url, context: context).description.contains("wide gamut"))
        context.decodesToWideGamut = true
        let text = manager.explain(url, context: context).description
        #expect(text.contains("with high dynamic range, with wide gamut"))
    }

    @Test("every note is shown to occur, and has its own text")
    func allNotes() {
        let elsewhere: Set<LoadExplanation.Note> = [.failedBefore, .localFilesNotCopied, .hiddenInMemory]
        #expect(manager.explain(URL(filePath: "/a.jpg")).findings == [.localFilesNotCopied])
        #expect(elsewhere.union(Self.noteCases.map(\.note)) == Set(LoadExplanation.Note.allCases))
        #expect(Set(LoadExplanation.Note.allCases.map(\.description)).count == LoadExplanation.Note.allCases.count)
    }

    @Test("every option has a name of its own")
    func optionNames() {
        let named = WebImageOptions.byName
        let bits = (0..<26).map { bit -> UInt in 1 << bit }
        #expect(named.map(\.value.rawValue) == bits)
        #expect(Set(named.map(\.key)).count == 26)
        #expect("\(WebImageOptions([.lowPriority, .retryFailed]))" == "[retryFailed, lowPriority]")
    }
}
