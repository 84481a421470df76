import WebImage

/// Runs a closure on the main thread when a load asks its interceptors.
final class Meanwhile: LoadInterceptor {
    private let body: @MainActor @Sendable () -> Void

    init(_ body: @escaping @MainActor @Sendable () -> Void) { self.body = body }

    func intercept(_ request: ImageRequest) -> LoadInterception {
        MainActor.assumeIsolated(body)
        return .proceed(request)
    }
}

/// Runs a closure on the main thread when a load begins.
final class LoadBeginning: LoadListener {
    private let body: @MainActor @Sendable () -> Void

    init(_ body: @escaping @MainActor @Sendable () -> Void) { self.body = body }

    func receive(_ event: LoadStageEvent) {
        if case (.whole, .began) = (event.stage, event.phase) { MainActor.assumeIsolated(body) }
    }
}
