/// The collaborators of a load.
extension WebImageContext {
    /// The cache to use in place of the manager's.
    public var imageCache: (any ImageCaching)? {
        get { read { $0.imageCache } }
        set { change { $0.imageCache = newValue } }
    }

    /// The cache for original files, in place of ``imageCache``.
    public var originalImageCache: (any ImageCaching)? {
        get { read { $0.originalImageCache } }
        set { change { $0.originalImageCache = newValue } }
    }

    /// The loader to use in place of the manager's.
    public var imageLoader: (any ImageLoader)? {
        get { read { $0.imageLoader } }
        set { change { $0.imageLoader = newValue } }
    }

    /// The coder to use in place of the manager's, whatever the bytes are.
    public var imageCoder: (any ImageCoder)? {
        get { read { $0.imageCoder } }
        set { change { $0.imageCoder = newValue } }
    }

    /// The transformer to use in place of the manager's; ``ImageTransformer/disabled`` for none. Part of the cache key.
    public var imageTransformer: (any ImageTransformer)? {
        get { read { $0.imageTransformer } }
        set { change { $0.imageTransformer = newValue } }
    }
}
