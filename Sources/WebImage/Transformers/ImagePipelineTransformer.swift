/// Several transformers in order.
package struct ImagePipelineTransformer: ImageTransformer {
    /// The transformers in order.
    package let transformers: [any ImageTransformer]
    /// The joined keys, separated by `-`; empty without transformers.
    package let transformerKey: String

    /// A transformer that applies several in turn.
    package init(_ transformers: [any ImageTransformer]) {
        self.transformers = transformers
        transformerKey = transformers.map(\.transformerKey).joined(separator: "-")
    }

    /// False: each transformer decides for its own step.
    package var preservesImageMetadata: Bool { false }

    /// The picture after the last step; nil as soon as a step fails. Without transformers, the picture itself.
    package func transform(_ image: Image, for key: CacheKey) -> Image? {
        transformers.reduce(image) { (picture: Image?, transformer) in
            picture?.transformed(by: transformer, for: key)
        }
    }
}

extension ImageTransformer where Self == BuiltInTransformer {
    /// Several transformers in order.
    ///
    /// ```swift
    /// context.transformer = .pipeline([.resize(width: 64, height: 64), .roundedCorners(radius: 32)])
    /// ```
    public static func pipeline(_ transformers: [any ImageTransformer]) -> BuiltInTransformer {
        BuiltInTransformer(ImagePipelineTransformer(transformers))
    }
}
