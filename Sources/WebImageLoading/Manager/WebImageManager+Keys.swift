import FoundationEssentials
import WebImageCore

extension WebImageManager {
    /// The key of the file at `url` in the caches, by the manager's filter; empty for nil.
    public func cacheKey(for url: URL?) -> CacheKey {
        guard let url else { return CacheKey("") }
        return CacheKey(filtering: url, by: settings.values.cacheKeyFilter)
    }

    /// The key of a load's finished picture on the disk, with its thumbnail size and its transformer; empty for nil.
    /// The key in memory is the same, except where decode options change the pixels.
    public func cacheKey(for url: URL?, context: WebImageContext) -> CacheKey {
        plan(of: ImageRequest(url, context: context))?.keys.result ?? CacheKey("")
    }

    /// The picture in memory for `url`, without waiting; nil when it is not there.
    public func imageFromMemory(
        for url: URL, options: WebImageOptions = [], context: WebImageContext = WebImageContext()
    ) -> Image? {
        plan(of: ImageRequest(url, options: options, context: context))?.imageFromMemory()
    }

    /// The picture in memory in the size of a load of `request`, or else in the largest other one; nil when it is not there.
    package func imageOfAnySizeFromMemory(_ request: ImageRequest) -> Image? {
        guard let plan = plan(of: request), plan.queriesMemory else { return nil }
        return plan.imageFromMemory() ?? plan.imageOfAnySizeFromMemory()
    }

    /// Lets go of the picture of a load of `request` in memory; other sizes of it and its files stay.
    ///
    /// - Returns: Whether it was there.
    package func removeFromMemory(_ request: ImageRequest) -> Bool {
        // A removal of what is still on its way would keep its file from the disk, too.
        guard let plan = plan(of: request), plan.imageFromMemory() != nil else { return false }
        plan.cache.removeAlone(for: plan.keys.memory, from: .memory, completion: nil)
        return true
    }

    /// Whether the picture of a load is in memory, and can be restored on this machine after its eviction.
    package func keeps(_ request: ImageRequest) -> Bool {
        guard let plan = plan(of: request), plan.queriesMemory, plan.imageFromMemory() != nil else { return false }
        return plan.url.isLocal || plan.leavesFiles
    }

    /// The plan of a load of `request`; nil when it has no address, or an interceptor answers it.
    package func plan(of request: ImageRequest) -> LoadPlan? {
        let settings = settings
        var request = settings.filling(request)
        for interceptor in settings.chain {
            switch interceptor.intercept(request) {
            case .proceed(let changed): request = changed
            case .finish: return nil
            // Such an interceptor usually loads the request unchanged.
            case .around: break
            }
        }
        guard let url = request.url else { return nil }
        return LoadPlan(url: url, request: request, defaults: core.defaults, isOffline: settings.values.isOffline)
    }
}
