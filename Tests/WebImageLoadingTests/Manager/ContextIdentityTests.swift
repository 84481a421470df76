import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageLoading
import WebImageTestLoads
import WebImageTesting

@testable import WebImagePresentation
@testable import WebImageTestDoubles

/// The contexts that lead to the very same load.
@Suite("Context identity")
struct ContextIdentityTests {
    struct Setting: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout WebImageContext) -> Void

        init(_ description: String, _ change: @escaping @Sendable (inout WebImageContext) -> Void) {
            testDescription = description
            self.change = change
        }

        var context: WebImageContext {
            var context = WebImageContext()
            change(&context)
            return context
        }
    }

    private struct EqualModifier: DownloadRequestModifier, Hashable {
        var name = "a"
        func modify(_ request: ImageLoadRequest) -> ImageLoadRequest? { request }
    }

    private struct Modifier: DownloadRequestModifier {
        func modify(_ request: ImageLoadRequest) -> ImageLoadRequest? { request }
    }

    private struct NamedTransformer: ImageTransformer {
        var transformerKey = "Named"
        let change: @Sendable (Image) -> Image = { $0 }
        func transform(_ image: Image, for key: CacheKey) -> Image? { change(image) }
    }

    private enum OwnKey: WebImageContext.Key {
        typealias Value = [Int]
    }

    private enum OwnClosure: WebImageContext.Key {
        typealias Value = @Sendable () -> Void
    }

    private enum FirstAnimation: Sendable {}
    private enum SecondAnimation: Sendable {}

    private static let cache = SuspendedCache()
    private static let coder = ScriptedCoder()

    private static let equal = [
        Setting("nothing") { _ in },
        Setting("the caller's queue") { $0.callbackQueue = .global },
        Setting("plain values") {
            $0.thumbnailPixelSize = .square(3)
            $0.httpHeaders = ["X-One": "1"]
            $0.timeout = .seconds(2)
            $0.downloadCredential = DownloadCredential(user: "me", password: "hush")
            $0.decodeOptions = .storedPixels
        },
        Setting("instances") {
            $0.cache = cache
            $0.coder = coder
        },
        Setting("a coder of the library") { $0.coder = .png },
        Setting("values with ==") { $0.downloadRequestModifier = EqualModifier() },
        Setting("transformers of one key") { $0.transformer = NamedTransformer() },
        Setting("a class of animations") { $0.animatedImageClass = ScriptedAnimatedImage<FirstAnimation>.self },
        Setting("a value of the app's own") { $0[OwnKey.self] = [1, 2] },
    ]

    @Test("contexts with the same settings are the same, also if they were made separately", arguments: equal)
    func same(setting: Setting) {
        #expect(setting.context.identity == setting.context.identity)
        #expect(setting.context.identity.hashValue == setting.context.identity.hashValue)
        #expect(setting.context.isComparable)
    }

    @Test("a setting that was set and removed leaves nothing behind")
    func takenAway() {
        var context = WebImageContext()
        context.timeout = .seconds(3)
        #expect(context.identity != WebImageContext().identity)
        context.timeout = nil
        #expect(context.identity == WebImageContext().identity)
    }

    @Test("CTX-17 CTX-18 CTX-19 CTX-20 each choice of tiers has a default that can be named")
    func defaultTiers() {
        // Their type is no optional, so that `.none` does not compile, which would mean the default.
        let tiers: [(WritableKeyPath<WebImageContext, ImageCacheType>, ImageCacheType)] = [
            (\.queryCacheType, .all), (\.storeCacheType, .all), (\.originalQueryCacheType, .disk),
            (\.originalStoreCacheType, .automatic),
        ]
        for (setting, usual) in tiers {
            var context = WebImageContext()
            #expect(context[keyPath: setting] == usual)
            context[keyPath: setting] = .noCache
            #expect(context[keyPath: setting] == .noCache)
            #expect(context.identity != WebImageContext().identity)
            context[keyPath: setting] = .automatic
            #expect(context[keyPath: setting] == usual)
            #expect(context.identity == WebImageContext().identity)
        }
    }

    private static let different = [
        Setting("a thumbnail's size") { $0.thumbnailPixelSize = .square(4) },
        Setting("a header field") { $0.httpHeaders = ["X-One": "2"] },
        Setting("another instance") { $0.cache = SuspendedCache() },
        Setting("an instance") { $0.listener = TraceRecorder() },
        Setting("another value") { $0.downloadRequestModifier = EqualModifier(name: "b") },
        Setting("a value without ==") { $0.downloadRequestModifier = Modifier() },
        Setting("a transformer of another key") { $0.transformer = NamedTransformer(transformerKey: "Other") },
        Setting("another class of animations") {
            $0.animatedImageClass = ScriptedAnimatedImage<SecondAnimation>.self
        },
        Setting("another value of the app's own") { $0[OwnKey.self] = [1, 3] },
        Setting("a value of the app's own without ==") { $0[OwnClosure.self] = {} },
    ]

    @Test("contexts that differ in anything are not the same", arguments: different)
    func otherwise(setting: Setting) {
        for other in Self.equal { #expect(setting.context.identity != other.context.identity) }
    }

    @Test(
        "a value that cannot be compared is the same in copies of one context only, and in equal variants of them",
        arguments: [
            Setting("collaborator") { $0.downloadRequestModifier = Modifier() },
            Setting("own value") { $0[OwnClosure.self] = {} },
        ])
    func incomparable(setting: Setting) {
        let context = setting.context
        var copy = context
        copy.callbackQueue = .current
        #expect(!context.isComparable)
        #expect(context.identity == copy.identity)
        #expect(context.identity != setting.context.identity)
        #expect(Self.inView(context).identity == Self.inView(copy).identity)
        #expect(Self.inView(context).identity != Self.inView(context, size: 9).identity)
    }

    private static func inView(_ context: WebImageContext, size: Double = 20) -> WebImageContext {
        let box = DecodeBox(viewSize: PointSize(width: size, height: size), scaleFactor: 2, fit: .cover)
        return context.forManager(key: .image, callbackQueue: .main, box: box)
    }

    @Test("variants of the default context, and of one with values for views only, pass on the same context")
    func views() {
        var mine = WebImageContext()
        mine.manager = WebImageManager(cache: Self.cache, loader: SuspendedLoader(), coder: Self.coder)
        mine.errorImage = try? Image.plain(1, 1)
        for context in [WebImageContext(), mine] {
            #expect(Self.inView(context).identity == Self.inView(WebImageContext()).identity)
        }
        #expect(Self.inView(mine).identity != Self.inView(mine, size: 99).identity)
    }

    @Test("collaborators: instances, equal values, and values that equal nothing")
    func collaborators() {
        let cache = CollaboratorIdentity(Self.cache)
        #expect(cache == CollaboratorIdentity(Self.cache) && cache != CollaboratorIdentity(SuspendedCache()))
        let value = CollaboratorIdentity(EqualModifier())
        #expect(value == CollaboratorIdentity(EqualModifier()))
        #expect(value.hashValue == CollaboratorIdentity(EqualModifier()).hashValue)
        #expect(value != CollaboratorIdentity(EqualModifier(name: "b")) && value != cache)
        let unique = CollaboratorIdentity(Modifier())
        let copy = unique
        #expect(unique == copy && unique.hashValue == copy.hashValue && unique != CollaboratorIdentity(Modifier()))
        #expect(CollaboratorIdentity(nil) == CollaboratorIdentity(nil) && CollaboratorIdentity(nil) != unique)
    }

    @Test("a response whose bytes a loader has changed is another file")
    func changedAnswer() {
        var response = ImageLoadResponse(data: Data("a".utf8)).sharedByMany
        #expect(response.fingerprint == FileFingerprint(Data("a".utf8)))
        response.data = Data("b".utf8)
        #expect(response.fingerprinted.fingerprint == FileFingerprint(Data("b".utf8)))
    }
}
