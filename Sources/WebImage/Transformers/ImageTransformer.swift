/// Makes another picture out of a decoded one. What comes out is what is delivered and cached.
///
/// ```swift
/// struct Inverting: ImageTransformer {
///     let transformerKey = "Inverting"
///     func transform(_ image: Image, for key: CacheKey) -> Image? { image.inverted() }
/// }
/// ```
/// A pure function: the same picture and the same ``transformerKey`` give the same result. Called on background threads,
/// several at a time.
public protocol ImageTransformer: Sendable {
    /// Names what the transformer does, with every parameter: results are found in the caches by it.
    var transformerKey: String { get }
    /// Whether the result keeps what is known of where the picture came from: format, frames, extended data. True by
    /// default.
    var preservesImageMetadata: Bool { get }
    /// The picture made of `image`, or nil when it cannot be made; loads then go on with `image` itself.
    ///
    /// - Parameter key: The name of the picture in the caches.
    func transform(_ image: Image, for key: CacheKey) -> Image?
}

extension ImageTransformer {
    /// True.
    public var preservesImageMetadata: Bool { true }
}
