/// A memory tier: pictures by key, on the caller's thread. ``MemoryCache`` is the built-in one.
public protocol MemoryCaching: Sendable {
    /// The picture, or nil.
    func image(for key: CacheKey) -> Image?
    /// Stores a picture at `cost` bytes, and replaces any other under that key.
    func store(_ image: Image, for key: CacheKey, cost: Int)
    /// Stores a picture that expires after `lifetime`; nil for the tier's own default.
    func store(_ image: Image, for key: CacheKey, cost: Int, expiresAfter lifetime: Duration?)
    /// Removes a picture with all its variants, and with all that was made from it: the entries under `key`, under each
    /// key that begins with `key` and a NUL, and under each whose ``CacheKey/original`` is `key`.
    func remove(for key: CacheKey)
    /// Removes a picture with all its variants, and no thumbnails or transformed pictures of it. By default the same as
    /// ``remove(for:)``, for tiers that do not tell them apart.
    func removeAlone(for key: CacheKey)
    /// Removes the pictures of `key`, and of what was made from it, that were not made from the file of `image`. By default
    /// removes all.
    func removeOlder(than image: Image, for key: CacheKey)
    /// The lifetime of pictures that are stored without one; nil, the default, for no expiry.
    var defaultLifetime: Duration? { get }
    /// The picture under `key`, in whatever ways it was decoded, and what was made from it, in no order; empty, the default, for
    /// tiers that do not look for them. No use of them.
    func images(of key: CacheKey) -> [Image]
    /// The keys of all pictures, in no order; empty, the default, for tiers that cannot list them.
    var keys: [CacheKey] { get }
    /// Removes all pictures.
    func removeAll()
    /// Takes new limits, at once: bytes, pictures, and the lifetime of pictures stored from now on; nil for no limit.
    /// Called when ``ImageCache/config`` has changed. Does nothing by default.
    func setLimits(cost: Int?, count: Int?, age: Duration?)
}

extension MemoryCaching {
    /// For tiers without lifetimes: a picture with one is not stored, since it would be found after its end.
    public func store(_ image: Image, for key: CacheKey, cost: Int, expiresAfter lifetime: Duration?) {
        if lifetime == nil { store(image, for: key, cost: cost) } else { remove(for: key) }
    }

    /// Removes all that ``remove(for:)`` does.
    public func removeAlone(for key: CacheKey) { remove(for: key) }

    /// For tiers that do not know the file of a picture.
    public func removeOlder(than image: Image, for key: CacheKey) { remove(for: key) }

    /// None: the tier does not look for them.
    public func images(of key: CacheKey) -> [Image] { [] }

    /// None: the tier cannot list them.
    public var keys: [CacheKey] { [] }

    /// nil: no expiry.
    public var defaultLifetime: Duration? { nil }

    /// Does nothing: the tier has limits of its own.
    public func setLimits(cost: Int?, count: Int?, age: Duration?) {}
}
