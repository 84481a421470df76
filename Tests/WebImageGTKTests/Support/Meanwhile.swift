import WebImage

/// Runs a closure on the main thread when a load begins.
final class Meanwhile: LoadInterceptor {
    private let body: @MainActor @Sendable () -> Void

    init(_ body: @escaping @MainActor @Sendable () -> Void) { self.body = body }

    func intercept(_ request: ImageRequest) -> LoadInterception {
        MainActor.assumeIsolated(body)
        return .proceed(request)
    }
}
