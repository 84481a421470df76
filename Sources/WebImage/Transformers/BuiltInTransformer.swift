/// A transformer of the library: ``ImageTransformer/resize(width:height:scaleMode:)``,
/// ``ImageTransformer/roundedCorners(radius:corners:borderWidth:borderColor:)``,
/// ``ImageTransformer/flip(horizontal:vertical:)``, ``ImageTransformer/pipeline(_:)`` or ``ImageTransformer/disabled``.
public struct BuiltInTransformer: ImageTransformer {
    private let base: any ImageTransformer

    init(_ base: any ImageTransformer) { self.base = base }

    /// SDWebImage's key, such as `SDImageFlippingTransformer(1,0)`; empty for a transformer that changes nothing.
    public var transformerKey: String { base.transformerKey }

    /// False for a pipeline: each of its transformers decides for its own step.
    public var preservesImageMetadata: Bool { base.preservesImageMetadata }

    /// The transformed picture; nil when a size or a length is invalid or too large.
    public func transform(_ image: Image, for key: CacheKey) -> Image? { base.transform(image, for: key) }
}
