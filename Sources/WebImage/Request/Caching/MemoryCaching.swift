/// A memory tier: pictures by key, on the caller's thread. ``MemoryCache`` is the one that is built in.
public protocol MemoryCaching: Sendable {
    /// The picture, or nil.
    func image(for key: CacheKey) -> Image?
    /// Puts a picture in at `cost` bytes, in place of any other under that key.
    func store(_ image: Image, for key: CacheKey, cost: Int)
    /// Puts a picture in that is found no longer than `lifetime`; nil for the tier's own default.
    func store(_ image: Image, for key: CacheKey, cost: Int, expiresAfter lifetime: Duration?)
    /// Takes a picture out, in whatever way it was decoded: what stands under `key`, and under each key that begins with
    /// `key` and a NUL.
    func remove(for key: CacheKey)
    /// Takes out what stands there and was not made of the file that `image` was made of. By default takes out all.
    func removeOlder(than image: Image, for key: CacheKey)
    /// How long a picture is found that is stored without a lifetime; nil, the default, for ever.
    var defaultLifetime: Duration? { get }
    /// Takes all pictures out.
    func removeAll()
}

extension MemoryCaching {
    /// For tiers that know no lifetimes: a picture with one is not kept, since it would be found for too long.
    public func store(_ image: Image, for key: CacheKey, cost: Int, expiresAfter lifetime: Duration?) {
        if lifetime == nil { store(image, for: key, cost: cost) } else { remove(for: key) }
    }

    /// For tiers that do not know what file a picture was made of.
    public func removeOlder(than image: Image, for key: CacheKey) { remove(for: key) }

    /// nil: for ever.
    public var defaultLifetime: Duration? { nil }
}
