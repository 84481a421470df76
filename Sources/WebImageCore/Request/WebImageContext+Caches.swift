/// The choice of caches, and of the pictures in each.
extension WebImageContext {
    /// The tiers to look for the finished picture in; all by default, `.noCache` for none.
    public var queryCacheType: ImageCacheType {
        get { read { $0.queryCacheType } ?? .all }
        set { change { $0.queryCacheType = newValue.automatic(is: .all) } }
    }

    /// The tiers to store the finished picture in; all by default, `.noCache` for none.
    public var storeCacheType: ImageCacheType {
        get { read { $0.storeCacheType } ?? .all }
        set { change { $0.storeCacheType = newValue.automatic(is: .all) } }
    }

    /// The tiers to look for the original in when a thumbnail or a transformed picture is not there itself; the disk by
    /// default, `.noCache` for none.
    public var originalQueryCacheType: ImageCacheType {
        get { read { $0.originalQueryCacheType } ?? .disk }
        set { change { $0.originalQueryCacheType = newValue.automatic(is: .disk) } }
    }

    /// The tiers to store the original in, `.noCache` for none.
    ///
    /// ``ImageCacheType/automatic`` by default: the disk, where the finished picture is another one or ``originalCache``
    /// is set. Other loads have no original besides the finished picture, and ``storeCacheType`` decides alone.
    public var originalStoreCacheType: ImageCacheType {
        get { read { $0.originalStoreCacheType } ?? .automatic }
        set { change { $0.originalStoreCacheType = newValue } }
    }

    /// Names the picture in the caches, in place of the manager's filter.
    public var cacheKeyFilter: (any CacheKeyFilter)? {
        get { read { $0.cacheKeyFilter } }
        set { change { $0.cacheKeyFilter = newValue } }
    }

    /// Makes the bytes for the disk, in place of the manager's serializer.
    public var cacheSerializer: (any CacheSerializer)? {
        get { read { $0.cacheSerializer } }
        set { change { $0.cacheSerializer = newValue } }
    }

    /// How long answers of HTTP servers are used, in place of the manager's policy.
    public var httpCachePolicy: HTTPCachePolicy? {
        get { read { $0.httpCachePolicy } }
        set { change { $0.httpCachePolicy = newValue } }
    }
}

extension ImageCacheType {
    /// The same tiers, or `usual` for ``automatic``.
    package func automatic(is usual: ImageCacheType) -> ImageCacheType { self == .automatic ? usual : self }
}
