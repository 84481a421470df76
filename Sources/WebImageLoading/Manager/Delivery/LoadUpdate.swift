import WebImageCore

/// A picture that a load delivers before the final one.
public enum LoadUpdate: Sendable {
    /// The picture from the cache, while a load with ``WebImageOptions/refreshCached`` revalidates it.
    case cached(LoadResult)
    /// The small picture that stands for the large one, of a load with ``WebImageContext/preview``. At most one, and none
    /// after anything of the large picture.
    case preview(LoadResult)
    /// A partial picture, of a load with ``WebImageOptions/progressiveLoad``.
    case partial(Image)
}
