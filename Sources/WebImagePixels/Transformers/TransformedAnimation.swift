import WebImageCore

/// The frames of another animation, each transformed on demand.
package final class TransformedAnimation: AnimatedImageProvider {
    private let source: any AnimatedImageProvider
    private let transformer: any ImageTransformer
    private let scale: Double
    private let key: CacheKey

    package init(
        of source: any AnimatedImageProvider, by transformer: any ImageTransformer, scale: Double, key: CacheKey
    ) {
        self.source = source
        self.transformer = transformer
        self.scale = scale
        self.key = key
    }

    package var frameCount: Int { source.frameCount }
    package var loopCount: Int { source.loopCount }

    /// A frame that cannot be transformed is shown unchanged: a gap would stop the animation.
    package func frame(at index: Int) throws(WebImageError) -> Bitmap {
        let frame = try source.frame(at: index)
        return transformer.transform(Image(bitmap: frame, scale: scale), for: key)?.bitmap ?? frame
    }

    package func duration(at index: Int) -> Duration { source.duration(at: index) }

    package func preloadAllFrames() { source.preloadAllFrames() }
    package func unloadAllFrames() { source.unloadAllFrames() }
    package var workingByteCount: Int { source.workingByteCount }
    package var isAllFramesLoaded: Bool { source.isAllFramesLoaded }
}
