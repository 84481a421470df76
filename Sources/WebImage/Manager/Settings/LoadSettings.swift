import Synchronization

/// What a manager adds to each of its loads. A load keeps those that were in force when it began.
final class LoadSettings: Sendable {
    let values: Values
    weak let delegate: (any WebImageManagerDelegate)?
    /// Whether there ever was one, which is to be asked about each load.
    let hasDelegate: Bool
    /// What becomes of a context that leaves everything to the manager: the same one each time.
    private let ownContext: WebImageContext
    /// No other settings of the process have it.
    private let number = lastNumber.add(1, ordering: .relaxed).newValue

    private static let lastNumber = Atomic<UInt64>(0)

    /// The settings that are values.
    struct Values: Sendable {
        var transformer: (any ImageTransformer)?
        var cacheKeyFilter: (any CacheKeyFilter)?
        var cacheSerializer: (any CacheSerializer)?
        var optionsProcessor: (any OptionsProcessor)?
        var interceptors: [any LoadInterceptor] = []
        var interceptorTimeout = Duration.seconds(60)
        var listeners: [any LoadListener] = []
        var backgroundTasks: (any BackgroundTaskProvider)?
    }

    // Found out once: all loads ask.
    /// Whatever stands around each load, in the order in which it is asked.
    let chain: [any LoadInterceptor]
    let hasListeners: Bool
    /// Whether a request is anything else than what the caller has given.
    private let changesRequests: Bool

    init(values: Values = Values(), delegate: (any WebImageManagerDelegate)? = nil) {
        self.values = values
        hasListeners = !values.listeners.isEmpty
        changesRequests =
            values.transformer != nil || values.cacheKeyFilter != nil || values.cacheSerializer != nil
        let processor = values.optionsProcessor.map { OptionsProcessorInterceptor(processor: $0) }
        chain = [processor].compactMap(\.self) + values.interceptors
        self.delegate = delegate
        hasDelegate = delegate != nil
        var ownContext = WebImageContext()
        if changesRequests { ownContext.change { values.fill(&$0) } }
        self.ownContext = ownContext
    }

    /// The request with the manager's own values where it has none, so that interceptors see them and may drop them.
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
    /// Whether a context leaves anything to the manager that this has.
    fileprivate func changes(_ context: WebImageContext) -> Bool {
        transformer != nil && context.imageTransformer == nil
            || cacheKeyFilter != nil && context.cacheKeyFilter == nil
            || cacheSerializer != nil && context.cacheSerializer == nil
    }

    fileprivate func fill(_ context: inout WebImageContext.Values) {
        if context.imageTransformer == nil { context.imageTransformer = transformer }
        if context.cacheKeyFilter == nil { context.cacheKeyFilter = cacheKeyFilter }
        if context.cacheSerializer == nil { context.cacheSerializer = cacheSerializer }
    }
}
