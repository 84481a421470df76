import Synchronization
import WebImageCore

/// The manager's settings for its loads. A load keeps the settings of its beginning.
final class LoadSettings: Sendable {
    let values: Values
    weak let delegate: (any WebImageManagerDelegate)?
    /// Whether a delegate was ever set, which is then asked about each load.
    let hasDelegate: Bool
    /// The completed context for a context without values of its own: computed once.
    private let ownContext: WebImageContext
    /// Unique among all settings of the process.
    private let number = lastNumber.add(1, ordering: .relaxed).newValue

    private static let lastNumber = Atomic<UInt64>(0)

    /// The settings that are values.
    struct Values: Sendable {
        var transformer: (any ImageTransformer)?
        var cacheKeyFilter: (any CacheKeyFilter)?
        var cacheSerializer: (any CacheSerializer)?
        var httpCachePolicy = HTTPCachePolicy()
        var optionsProcessor: (any OptionsProcessor)?
        var interceptors: [any LoadInterceptor] = []
        var interceptorTimeout = Duration.seconds(60)
        var resumesTransfers = false
        var isOffline = false
        var listeners: [any LoadListener] = []
        var backgroundTasks: (any BackgroundTaskProvider)?
    }

    // Computed once: all loads use them.
    /// The interceptors, in the order in which they are called.
    let chain: [any LoadInterceptor]
    let hasListeners: Bool
    /// Whether a request is anything else than what the caller has given.
    private let changesRequests: Bool

    init(values: Values = Values(), delegate: (any WebImageManagerDelegate)? = nil) {
        self.values = values
        hasListeners = !values.listeners.isEmpty
        changesRequests =
            values.transformer != nil || values.cacheKeyFilter != nil || values.cacheSerializer != nil
            || values.httpCachePolicy != HTTPCachePolicy()
        let processor = values.optionsProcessor.map { OptionsProcessorInterceptor(processor: $0) }
        chain = [processor].compactMap(\.self) + values.interceptors
        self.delegate = delegate
        hasDelegate = delegate != nil
        var ownContext = WebImageContext()
        if changesRequests { ownContext.change { values.fill(&$0) } }
        self.ownContext = ownContext
    }

    /// The request completed with the manager's own values, so that interceptors see them and may remove them.
    func filling(_ request: ImageRequest) -> ImageRequest {
        guard changesRequests else { return request }
        var request = request
        request.context = request.context.isEmpty ? own(request.context) : filling(request.context)
        return request
    }

    private func filling(_ context: WebImageContext) -> WebImageContext {
        guard values.changes(context) else { return context }
        return context.made(for: .settings(number)) { values.fill(&$0) }
    }

    private func own(_ context: WebImageContext) -> WebImageContext {
        var own = ownContext
        own.callbackQueue = context.callbackQueue
        return own
    }
}

extension LoadSettings.Values {
    /// Whether the manager has a value for a context that lacks it.
    fileprivate func changes(_ context: WebImageContext) -> Bool {
        transformer != nil && context.transformer == nil
            || cacheKeyFilter != nil && context.cacheKeyFilter == nil
            || cacheSerializer != nil && context.cacheSerializer == nil
            || httpCachePolicy != HTTPCachePolicy() && context.httpCachePolicy == nil
    }

    fileprivate func fill(_ context: inout WebImageContext.Values) {
        if context.transformer == nil { context.transformer = transformer }
        if context.cacheKeyFilter == nil { context.cacheKeyFilter = cacheKeyFilter }
        if context.cacheSerializer == nil { context.cacheSerializer = cacheSerializer }
        if context.httpCachePolicy == nil, httpCachePolicy != HTTPCachePolicy() {
            context.httpCachePolicy = httpCachePolicy
        }
    }
}
