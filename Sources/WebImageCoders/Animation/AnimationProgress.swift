import WebImageCore
import WebImagePixels

/// The part of an animation that has arrived. Belongs to one thread at a time.
struct AnimationProgress<Source: FrameSource> {
    private let format: ImageFormat
    private var animation: CompositedAnimation<Source>?
    private var poster: Bitmap?
    /// The number of frames of the last picture.
    private(set) var shownCount = 0

    init(format: ImageFormat) { self.format = format }

    /// The picture with the frames of `source`, which has more than before.
    ///
    /// - Throws: ``WebImageError/Code/limitExceeded``, and the error of the first frame.
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

    /// Frame 0; decoded again only where the byte limit for all frames reduces its size.
    private mutating func poster(
        of animation: CompositedAnimation<Source>, _ options: ImageDecodeOptions
    ) throws(WebImageError) -> Bitmap {
        if let poster, poster.size == animation.frames.geometry.outputSize { return poster }
        let bitmap = try animation.poster(cancellation: options.cancellation)
        poster = bitmap
        return bitmap
    }
}
