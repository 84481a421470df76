import WebImageCore

/// The manager's settings for all of its loads. A change applies to loads that begin after it. Any thread.
extension WebImageManager {
    /// The transformer of all loads whose context names none; nil by default.
    public var transformer: (any ImageTransformer)? {
        get { settings.values.transformer }
        set { changeSettings { $0.transformer = newValue } }
    }

    /// The key filter of all loads whose context has none; nil, the default, uses the whole URL as key.
    public var cacheKeyFilter: (any CacheKeyFilter)? {
        get { settings.values.cacheKeyFilter }
        set { changeSettings { $0.cacheKeyFilter = newValue } }
    }

    /// Makes the files on the disk for all loads whose context has no serializer; nil, the default, stores original
    /// files.
    public var cacheSerializer: (any CacheSerializer)? {
        get { settings.values.cacheSerializer }
        set { changeSettings { $0.cacheSerializer = newValue } }
    }

    /// How long answers of HTTP servers are used, for all loads whose context has no policy; by default until they are
    /// removed.
    public var httpCachePolicy: HTTPCachePolicy {
        get { settings.values.httpCachePolicy }
        set { changeSettings { $0.httpCachePolicy = newValue } }
    }

    /// Changes options and context of every load, before its interceptors see it; nil by default.
    public var optionsProcessor: (any OptionsProcessor)? {
        get { settings.values.optionsProcessor }
        set { changeSettings { $0.optionsProcessor = newValue } }
    }

    /// The interceptors of every load, outermost first; none by default.
    public var interceptors: [any LoadInterceptor] {
        get { settings.values.interceptors }
        set { changeSettings { $0.interceptors = newValue } }
    }

    /// How long an interceptor that has taken a load over may neither load nor end; a minute by default.
    public var interceptorTimeout: Duration {
        get { settings.values.interceptorTimeout }
        set { changeSettings { $0.interceptorTimeout = newValue } }
    }

    /// Whether the beginning of a body whose transfer is interrupted or cancelled is kept in the disk cache, and a later
    /// load goes on after it, also in another process. Only where the server names a strong validator (`ETag`), and the
    /// load stores on disk. Kept for a day, in the limits of the disk cache, which removes it before all whole files. Default
    /// false: each load that is not cached would ask the disk once more.
    public var resumesTransfers: Bool {
        get { settings.values.resumesTransfers }
        set { changeSettings { $0.resumesTransfers = newValue } }
    }

    /// Whether addresses of the web (`http:`, `https:`) are answered from the caches alone, without the network; false by
    /// default.
    ///
    /// A stale picture is an answer, too (``LoadResult/isStale``), unless its server has forbidden that. Any other load fails
    /// at once with ``WebImageError/Code/notCached``, with the options `refreshCached` and `fromLoaderOnly` as well: no retry
    /// is made, and the address does not become one of the failed URLs. All other addresses are loaded as ever. Transfers that
    /// are under way go on, and calls of a downloader itself are not affected.
    public var isOffline: Bool {
        get { settings.values.isOffline }
        set { changeSettings { $0.isOffline = newValue } }
    }

    /// Listeners for every stage of every load; none by default, which costs nothing.
    public var listeners: [any LoadListener] {
        get { settings.values.listeners }
        set { changeSettings { $0.listeners = newValue } }
    }

    /// Requests background time for loads with ``WebImageOptions/continueInBackground``; nil by default.
    public var backgroundTasks: (any BackgroundTaskProvider)? {
        get { settings.values.backgroundTasks }
        set { changeSettings { $0.backgroundTasks = newValue } }
    }

    /// Decides which pictures are loaded and which failed URLs are blocked; not retained. nil by default.
    public var delegate: (any WebImageManagerDelegate)? {
        get { settings.delegate }
        set { setDelegate(newValue) }
    }
}
