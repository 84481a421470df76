/// The animation as far as its frames have come. Belongs to one thread at a time.
struct AnimationProgress<Source: FrameSource> {
    private let format: ImageFormat
    private var animation: CompositedAnimation<Source>?
    private var poster: Bitmap?
    /// Frames of the last picture.
    private(set) var shownCount = 0

    init(format: ImageFormat) { self.format = format }

    /// The picture with the frames of `source`, of which there are more than before.
    ///
    /// - Throws: ``WebImageError/Code/limitExceeded``, and what is wrong with the first frame.
    mutating func image(
        of source: Source, loopCount: Int, options: ImageDecodeOptions
    ) throws(WebImageError) -> Image {
        let grown: CompositedAnimation<Source>
        if let animation {
            grown = animation.grown(to: source, loopCount: loopCount, options: options)
        } else {
            grown = try CompositedAnimation(source, loopCount: loopCount, data: nil, options: options)
        }
        animation = grown
        shownCount = source.frames.count
        let isAnimated = shownCount > 1 && !options.decodesFirstFrameOnly
        return grown.frames.geometry.makeImage(
            try poster(of: grown, options), of: format, frameCount: shownCount, loopCount: loopCount,
            animation: isAnimated ? grown : nil, isIncremental: true, options: options)
    }

    /// Frame 0, which is decoded again only where a limit of bytes for all frames makes it smaller.
    private mutating func poster(
        of animation: CompositedAnimation<Source>, _ options: ImageDecodeOptions
    ) throws(WebImageError) -> Bitmap {
        if let poster, poster.size == animation.frames.geometry.outputSize { return poster }
        let bitmap = try animation.poster(cancellation: options.cancellation)
        poster = bitmap
        return bitmap
    }
}
