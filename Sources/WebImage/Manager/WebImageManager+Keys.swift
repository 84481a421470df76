import FoundationEssentials

extension WebImageManager {
    /// The name of the file at `url` in the caches, by the manager's filter; an empty one for nil.
    public func cacheKey(for url: URL?) -> CacheKey {
        guard let url else { return CacheKey("") }
        return CacheKey(filtering: url, by: settings.values.cacheKeyFilter)
    }

    /// The name of the finished picture of a load on the disk, that of its thumbnail and of its transformer in it; an empty
    /// one for nil. In memory it has the same, but where decode options change its pixels; see ``LoadExplanation/keys``.
    public func cacheKey(for url: URL?, context: WebImageContext) -> CacheKey {
        plan(of: ImageRequest(url, context: context))?.keys.result ?? CacheKey("")
    }

    /// The picture in memory for `url`, at once; nil when it is not there.
    public func imageFromMemory(
        for url: URL, options: WebImageOptions = [], context: WebImageContext = WebImageContext()
    ) -> Image? {
        plan(of: ImageRequest(url, options: options, context: context))?.imageFromMemory()
    }

    /// Whether the picture of a load is in memory, and can be had on this machine when memory has let it go.
    func keeps(_ request: ImageRequest) -> Bool {
        guard let plan = plan(of: request), plan.queriesMemory, plan.imageFromMemory() != nil else { return false }
        return plan.url.isLocal || plan.leavesFiles
    }

    /// What a load of `request` would do; nil when it has no address, or an interceptor answers it.
    func plan(of request: ImageRequest) -> LoadPlan? {
        let settings = settings
        var request = settings.filling(request)
        for interceptor in settings.chain {
            switch interceptor.intercept(request) {
            case .proceed(let changed): request = changed
            case .finish: return nil
            // What it lets load is as a rule what it was asked for.
            case .around: break
            }
        }
        guard let url = request.url else { return nil }
        return LoadPlan(url: url, request: request, defaults: core.defaults)
    }
}
