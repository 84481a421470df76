/// Several transformers, the first one first.
///
/// ```swift
/// let avatar = ImagePipelineTransformer([
///     ImageResizingTransformer(size: PointSize(width: 64, height: 64), scaleMode: .aspectFill),
///     ImageRoundCornerTransformer(radius: 32),
/// ])
/// ```
public struct ImagePipelineTransformer: ImageTransformer {
    /// The transformers in their order.
    public let transformers: [any ImageTransformer]
    /// The keys of all, joined by `-`; empty without any.
    public let transformerKey: String

    /// A transformer that is several in turn.
    public init(_ transformers: [any ImageTransformer]) {
        self.transformers = transformers
        transformerKey = transformers.map(\.transformerKey).joined(separator: "-")
    }

    /// False: each of the transformers says it for its own step.
    public var preservesImageMetadata: Bool { false }

    /// The picture after the last step; nil as soon as one makes nothing of it. Without transformers, the picture.
    public func transform(_ image: Image, for key: CacheKey) -> Image? {
        transformers.reduce(image) { (picture: Image?, transformer) in
            picture?.transformed(by: transformer, for: key)
        }
    }
}
