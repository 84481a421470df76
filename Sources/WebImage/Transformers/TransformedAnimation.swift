/// The frames of another animation, each transformed on demand.
final class TransformedAnimation: AnimatedImageProvider {
    private let source: any AnimatedImageProvider
    private let transformer: any ImageTransformer
    private let scale: Double
    private let key: CacheKey

    init(of source: any AnimatedImageProvider, by transformer: any ImageTransformer, scale: Double, key: CacheKey) {
        self.source = source
        self.transformer = transformer
        self.scale = scale
        self.key = key
    }

    var frameCount: Int { source.frameCount }
    var loopCount: Int { source.loopCount }

    /// A frame that cannot be transformed is shown unchanged: a gap would stop the animation.
    func frame(at index: Int) throws(WebImageError) -> Bitmap {
        let frame = try source.frame(at: index)
        return transformer.transform(Image(bitmap: frame, scale: scale), for: key)?.bitmap ?? frame
    }

    func duration(at index: Int) -> Duration { source.duration(at: index) }

    func preloadAllFrames() { source.preloadAllFrames() }
    func unloadAllFrames() { source.unloadAllFrames() }
    var workingByteCount: Int { source.workingByteCount }
    var isAllFramesLoaded: Bool { source.isAllFramesLoaded }
}
