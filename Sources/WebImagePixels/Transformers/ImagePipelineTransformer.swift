import WebImageCore

/// Several transformers in order.
package struct ImagePipelineTransformer: LibraryTransformer {
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

    package func transform(_ image: Image, for key: CacheKey) -> Image? {
        transform(image, for: key, cancellation: nil)
    }

    /// The picture after the last step; nil as soon as a step fails, or the load is cancelled, and before the first step
    /// where the sizes show that a later one will fail. Without transformers, the picture itself.
    package func transform(_ image: Image, for key: CacheKey, cancellation: CancellationFlag?) -> Image? {
        guard !forecast(for: image.pixelSize, scale: image.scale).isImpossible else { return nil }
        return passes.reduce(image) { (picture: Image?, transformer) in
            guard cancellation?.isCancelled != true else { return nil }
            return picture?.transformed(by: transformer, for: key, cancellation: cancellation)
        }
    }

    /// The transformers, with neighbours that look at one pixel at a time as one.
    private var passes: [any ImageTransformer] {
        transformers.reduce(into: []) { passes, transformer in
            if let last = passes.last?.described?.colors, let next = transformer.described?.colors {
                passes[passes.count - 1] = ColorPass(steps: last.steps + next.steps)
            } else {
                passes.append(transformer)
            }
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
