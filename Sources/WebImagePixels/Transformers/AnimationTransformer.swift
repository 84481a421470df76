import WebImageCore

/// A transformer whose result depends on all frames of an animation, such as one that cuts a margin away: frames of
/// different sizes are no animation.
protocol AnimationTransformer: ImageTransformer {
    /// The transformer for the frames of `animation`, each by itself. Decodes them, one at a time.
    ///
    /// - Parameter scale: That of the frames.
    func settled(
        on animation: any AnimatedImageProvider, scale: Double, cancellation: CancellationFlag?
    ) -> any ImageTransformer
}

extension ImageTransformer {
    /// The transformer for each frame of an animation by itself, and for its first one as a still picture: with it, all
    /// have one size. Itself for a still picture, and where frames do not depend on others.
    package func settled(
        on animation: (any AnimatedImageProvider)?, scale: Double, cancellation: CancellationFlag? = nil
    ) -> any ImageTransformer {
        guard let animation, let transformer = self as? any AnimationTransformer else { return self }
        return transformer.settled(on: animation, scale: scale, cancellation: cancellation)
    }
}

extension BuiltInTransformer: AnimationTransformer {
    func settled(
        on animation: any AnimatedImageProvider, scale: Double, cancellation: CancellationFlag?
    ) -> any ImageTransformer {
        BuiltInTransformer(
            base.settled(on: animation as (any AnimatedImageProvider)?, scale: scale, cancellation: cancellation))
    }
}

extension ImagePipelineTransformer: AnimationTransformer {
    /// Each step sees the frames as the steps before it have left them.
    func settled(
        on animation: any AnimatedImageProvider, scale: Double, cancellation: CancellationFlag?
    ) -> any ImageTransformer {
        let steps = transformers.reduce(into: [any ImageTransformer]()) { steps, next in
            let frames = TransformedAnimation(
                of: animation, by: ImagePipelineTransformer(steps), scale: scale, key: CacheKey(""))
            steps.append(
                next.settled(on: frames as (any AnimatedImageProvider)?, scale: scale, cancellation: cancellation))
        }
        return ImagePipelineTransformer(steps)
    }
}

extension ImageTrimmingTransformer: AnimationTransformer {
    /// Cuts all frames to what any of them shows. A damaged frame shows nothing.
    func settled(
        on animation: any AnimatedImageProvider, scale: Double, cancellation: CancellationFlag?
    ) -> any ImageTransformer {
        guard tolerance >= 0 else { return self }
        var shown: CropPart?
        for index in 0..<animation.frameCount {
            guard cancellation?.isCancelled != true else { break }
            guard let frame = try? animation.frame(at: index),
                let part = try? frame.partInsideMargin(tolerance: tolerance)
            else { continue }
            shown = shown?.joined(with: part) ?? part
            // More frames cannot show more.
            if shown?.size == frame.size { break }
        }
        return CommonPartTransformer(part: shown, transformerKey: transformerKey)
    }
}

/// Cuts all frames of an animation to the same part; nil for all of it.
private struct CommonPartTransformer: ImageTransformer {
    let part: CropPart?
    let transformerKey: String

    func transform(_ image: Image, for key: CacheKey) -> Image? { part.map { image.cropped(to: $0) } ?? image }
}
