import WebImageCore

/// A transformer of the library, such as ``ImageTransformer/resize(width:height:scaleMode:filter:inLinearLight:)``,
/// ``ImageTransformer/blur(radius:)`` or ``ImageTransformer/pipeline(_:)``.
public struct BuiltInTransformer: ImageTransformer {
    private let base: any LibraryTransformer

    init(_ base: any LibraryTransformer) { self.base = base }

    /// The name with all parameters, such as `SDImageFlippingTransformer(1,0)`: SDWebImage's key where it has the
    /// transformer. Empty for a transformer that changes nothing.
    public var transformerKey: String { base.transformerKey }

    /// False for a pipeline: each of its transformers decides for its own step.
    public var preservesImageMetadata: Bool { base.preservesImageMetadata }

    /// The transformed picture; nil when a size or a length is invalid or too large.
    public func transform(_ image: Image, for key: CacheKey) -> Image? { base.transform(image, for: key) }

    /// The same; nil also once the cancellation is raised.
    public func transform(_ image: Image, for key: CacheKey, cancellation: CancellationFlag?) -> Image? {
        base.transform(image, for: key, cancellation: cancellation)
    }
}

extension BuiltInTransformer: LibraryTransformer {
    package func forecast(for size: PixelSize, scale: Double) -> SizeForecast { base.forecast(for: size, scale: scale) }

    package func region(of size: PixelSize, scale: Double) -> DecodeRegion? { base.region(of: size, scale: scale) }

    package var afterRegion: any ImageTransformer { base.afterRegion }

    package func forFrames(
        of animation: any AnimatedImageProvider, scale: Double, cancellation: CancellationFlag?
    ) -> any ImageTransformer {
        base.forFrames(of: animation, scale: scale, cancellation: cancellation)
    }

    package var colors: ColorPass? { base.colors }
}
