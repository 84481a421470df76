/// A picture that a load delivers before the final one.
public enum LoadUpdate: Sendable {
    /// The picture from the cache, while a load with ``WebImageOptions/refreshCached`` revalidates it.
    case cached(LoadResult)
    /// A partial picture, of a load with ``WebImageOptions/progressiveLoad``.
    case partial(Image)
}
