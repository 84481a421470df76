/// What a manager adds to each of its loads. A load keeps those that were in force when it began.
final class LoadSettings: Sendable {
    let values: Values
    weak let delegate: (any WebImageManagerDelegate)?
    /// Whether there ever was one, which is to be asked about each load.
    let hasDelegate: Bool
    /// What becomes of a context that leaves everything to the manager: the same one each time.
    private let ownContext: WebImageContext

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

        /// The whole chain, in the order in which it is asked.
        var chain: [any LoadInterceptor] {
            guard let optionsProcessor else { return interceptors }
            return [OptionsProcessorInterceptor(processor: optionsProcessor)] + interceptors
        }

        /// Whether a request is anything else than what the caller has given.
        fileprivate(set) var changesRequests = false
    }

    init(values: Values = Values(), delegate: (any WebImageManagerDelegate)? = nil) {
        var values = values
        values.changesRequests =
            values.transformer != nil || values.cacheKeyFilter != nil || values.cacheSerializer != nil
        self.values = values
        self.delegate = delegate
        hasDelegate = delegate != nil
        ownContext = values.changesRequests ? values.filling(WebImageContext()) : WebImageContext()
    }

    /// The request with the manager's own values where it has none, so that interceptors see them and may drop them.
    func filling(_ request: ImageRequest) -> ImageRequest {
        guard values.changesRequests else { return request }
        var request = request
        request.context = request.context.identity == nil ? own(request.context) : values.filling(request.context)
        return request
    }

    private func own(_ context: WebImageContext) -> WebImageContext {
        var own = ownContext
        own.callbackQueue = context.callbackQueue
        return own
    }
}

extension LoadSettings.Values {
    fileprivate func filling(_ context: WebImageContext) -> WebImageContext {
        var context = context
        if context.imageTransformer == nil { context.imageTransformer = transformer }
        if context.cacheKeyFilter == nil { context.cacheKeyFilter = cacheKeyFilter }
        if context.cacheSerializer == nil { context.cacheSerializer = cacheSerializer }
        return context
    }
}
