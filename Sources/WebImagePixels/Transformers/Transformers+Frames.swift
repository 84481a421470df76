import WebImageCore

extension ImagePipelineTransformer {
    /// Each step sees the frames as the steps before it have left them.
    package func forFrames(
        of animation: any AnimatedImageProvider, scale: Double, cancellation: CancellationFlag?
    ) -> any ImageTransformer {
        ImagePipelineTransformer(steps(forFramesOf: animation, scale: scale, cancellation: cancellation))
    }

    /// The transformers, in their order, each for the frames that it gets.
    package func steps(
        forFramesOf animation: any AnimatedImageProvider, scale: Double, cancellation: CancellationFlag?
    ) -> [any ImageTransformer] {
        transformers.reduce(into: []) { steps, next in
            let frames = TransformedAnimation(
                of: animation, by: ImagePipelineTransformer(steps), scale: scale, key: CacheKey(""))
            steps.append(next.settled(on: frames, scale: scale, cancellation: cancellation))
        }
    }
}

extension ImageTrimmingTransformer {
    /// Cuts all frames to what any of them shows. A damaged frame shows nothing.
    package func forFrames(
        of animation: any AnimatedImageProvider, scale: Double, cancellation: CancellationFlag?
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
