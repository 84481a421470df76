/// What the manager does with all of its loads. A change takes effect for loads that begin after it. Any thread.
extension WebImageManager {
    /// Transforms the pictures of all loads whose context names no transformer; nil by default.
    public var transformer: (any ImageTransformer)? {
        get { settings.values.transformer }
        set { changeSettings { $0.transformer = newValue } }
    }

    /// Names the pictures of all loads whose context has no filter; nil, the default, takes the whole URL.
    public var cacheKeyFilter: (any CacheKeyFilter)? {
        get { settings.values.cacheKeyFilter }
        set { changeSettings { $0.cacheKeyFilter = newValue } }
    }

    /// Makes the bytes for the disk of all loads whose context has no serializer; nil, the default, stores files as they
    /// came.
    public var cacheSerializer: (any CacheSerializer)? {
        get { settings.values.cacheSerializer }
        set { changeSettings { $0.cacheSerializer = newValue } }
    }

    /// Changes options and context of every load, before its interceptors see it; nil by default.
    public var optionsProcessor: (any OptionsProcessor)? {
        get { settings.values.optionsProcessor }
        set { changeSettings { $0.optionsProcessor = newValue } }
    }

    /// What stands around every load, outermost first; none by default.
    public var interceptors: [any LoadInterceptor] {
        get { settings.values.interceptors }
        set { changeSettings { $0.interceptors = newValue } }
    }

    /// How long an interceptor that has taken a load over may do nothing, neither load nor end; a minute by default.
    public var interceptorTimeout: Duration {
        get { settings.values.interceptorTimeout }
        set { changeSettings { $0.interceptorTimeout = newValue } }
    }

    /// Hear of every stage of every load; none by default, which costs nothing.
    public var listeners: [any LoadListener] {
        get { settings.values.listeners }
        set { changeSettings { $0.listeners = newValue } }
    }

    /// Holds the app for loads with ``WebImageOptions/continueInBackground``; nil by default.
    public var backgroundTasks: (any BackgroundTaskProvider)? {
        get { settings.values.backgroundTasks }
        set { changeSettings { $0.backgroundTasks = newValue } }
    }

    /// Decides which pictures are loaded and which URLs are given up; not kept alive. nil by default.
    public var delegate: (any WebImageManagerDelegate)? {
        get { settings.delegate }
        set { setDelegate(newValue) }
    }
}
