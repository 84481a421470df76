/// A picture that a load delivers before its last one.
public enum LoadUpdate: Sendable {
    /// The picture from the cache, while a load with ``WebImageOptions/refreshCached`` asks whether it is still good.
    case cached(LoadResult)
    /// A part of the picture, of a load with ``WebImageOptions/progressiveLoad``.
    case partial(Image)
}
