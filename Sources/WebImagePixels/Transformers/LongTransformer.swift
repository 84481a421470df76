import WebImageCore

/// A transformer whose work takes long for large pictures, or has several steps. It can be cancelled.
package protocol LongTransformer: ImageTransformer {}

extension LongTransformer {
    /// The picture of work that is done to its end.
    public func transform(_ image: Image, for key: CacheKey) -> Image? {
        transform(image, for: key, cancellation: nil)
    }
}
