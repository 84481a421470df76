/// The collaborators of a load.
extension WebImageContext {
    /// The cache to use in place of the manager's.
    public var cache: (any ImageCaching)? {
        get { read { $0.cache } }
        set { change { $0.cache = newValue } }
    }

    /// The cache for original files, in place of ``cache``.
    public var originalCache: (any ImageCaching)? {
        get { read { $0.originalCache } }
        set { change { $0.originalCache = newValue } }
    }

    /// The loader to use in place of the manager's.
    public var loader: (any ImageLoader)? {
        get { read { $0.loader } }
        set { change { $0.loader = newValue } }
    }

    /// The coder to use in place of the manager's, whatever the bytes are.
    public var coder: (any ImageCoder)? {
        get { read { $0.coder } }
        set { change { $0.coder = newValue } }
    }

    /// The transformer to use in place of the manager's; ``ImageTransformer/disabled`` for none. Part of the cache key.
    public var transformer: (any ImageTransformer)? {
        get { read { $0.transformer } }
        set { change { $0.transformer = newValue } }
    }
}
