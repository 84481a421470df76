/// How views draw a picture, where that is not simply its pixels.
package enum ImageAppearance: Sendable, Hashable {
    case pixels
    /// As the icon that it was drawn from.
    case icon(NamedIcon)
    /// In the place of the picture that it stands in for, in proportions like those of it.
    case blur
    /// Over the whole view.
    case backdrop
    /// Not yet: views look for it in the cache.
    case cachedHash
}
