import Synchronization
import WebImageCore
import WebImageLoading

/// An interceptor that the test scripts, with a record of its calls.
final class ScriptedInterceptor: LoadInterceptor {
    private let decide: @Sendable (ImageRequest) -> LoadInterception
    private let seen = Mutex<[ImageRequest]>([])

    init(_ decide: @escaping @Sendable (ImageRequest) -> LoadInterception) { self.decide = decide }

    var requests: [ImageRequest] { seen.withLock { $0 } }

    func intercept(_ request: ImageRequest) -> LoadInterception {
        seen.withLock { $0.append(request) }
        return decide(request)
    }
}

extension LoadInterceptor where Self == ScriptedInterceptor {
    /// One that takes loads over.
    static func around(
        _ body: @escaping @Sendable (LoadChain) async throws(WebImageError) -> LoadResult
    ) -> ScriptedInterceptor { ScriptedInterceptor { _ in .around(body) } }
}

/// An options processor that the test scripts, with a record of its calls.
final class ScriptedProcessor: OptionsProcessor {
    private let change: @Sendable (ImageRequest) -> ImageRequest?
    private let seen = Mutex<[ImageRequest]>([])

    init(_ change: @escaping @Sendable (ImageRequest) -> ImageRequest?) { self.change = change }

    var requests: [ImageRequest] { seen.withLock { $0 } }

    func process(_ request: ImageRequest) -> ImageRequest? {
        seen.withLock { $0.append(request) }
        return change(request)
    }
}
