import FoundationEssentials

/// An animation whose frames say what differs from the frame before (GIF, APNG, WebP).
///
/// Playing forward decodes one frame for each that is shown; any other order begins at the nearest frame before that
/// depends on nothing. Frames come at the size that the options ask for; what they are drawn on is as large as the file
/// says, and there is one such canvas for each thread that asks at the same time, of which two stay.
package final class CompositedAnimation<Source: FrameSource>: AnimatedImageProvider {
    package let loopCount: Int
    package let animatedImageData: Data?
    private let frames: CursorAnimation<CompositingCursor<Source>>

    /// - Parameters:
    ///   - source: Has at least one frame.
    ///   - data: The file, for whoever stores or encodes the animation.
    /// - Throws: ``WebImageError/Code/limitExceeded`` where the canvas is too large.
    package convenience init(
        _ source: Source, loopCount: Int, data: Data?, options: ImageDecodeOptions
    ) throws(WebImageError) {
        try options.limits.check(source: source.canvasSize, held: source.canvasSize)
        // Two canvases at most: one of them is for frames that are taken back.
        let cursors = CursorPool<CompositingCursor<Source>>(cursorByteCount: source.canvasSize.area * 8)
        self.init(source, loopCount: loopCount, data: data, options: options, cursors: cursors)
    }

    private init(
        _ source: Source, loopCount: Int, data: Data?, options: ImageDecodeOptions,
        cursors: CursorPool<CompositingCursor<Source>>
    ) {
        self.loopCount = loopCount
        animatedImageData = data
        frames = CursorAnimation(
            Composition(source, options: options),
            durations: source.frames.map { FrameDuration.seconds(fromMilliseconds: $0.duration) }, options: options,
            cursors: cursors)
    }

    /// The same animation with more frames at its end, on the canvases of this one.
    func grown(to source: Source, loopCount: Int, options: ImageDecodeOptions) -> CompositedAnimation {
        CompositedAnimation(source, loopCount: loopCount, data: nil, options: options, cursors: frames.cursors)
    }

    package var frameCount: Int { frames.durations.count }
    package var isAllFramesLoaded: Bool { frames.areAllLoaded }
    /// How many canvases were made, which tests look at.
    package var cursorCount: Int { frames.cursors.madeCount }
    package var geometry: ThumbnailGeometry { frames.frames.geometry }

    package func frame(at index: Int) throws(WebImageError) -> Bitmap { try frames.frame(at: index) }

    /// The same for somebody who may lose interest.
    package func frame(at index: Int, cancellation: CancellationFlag?) throws(WebImageError) -> Bitmap {
        try frames.frame(at: index, cancellation: cancellation)
    }

    package func duration(at index: Int) -> Double { frames.duration(at: index) }
    package func preloadAllFrames() { frames.loadAll() }
    package func unloadAllFrames() { frames.unloadAll() }
}

extension CompositedAnimation {
    /// The picture that a coder delivers: frame 0, and the animation where there is one.
    package func makeImage(
        of format: ImageFormat, isIncremental: Bool = false, options: ImageDecodeOptions
    ) throws(WebImageError) -> Image {
        let poster = try frame(at: 0, cancellation: options.cancellation)
        return geometry.makeImage(
            poster, of: format, frameCount: frameCount, loopCount: loopCount,
            animation: frameCount > 1 ? self : nil, isIncremental: isIncremental, options: options)
    }
}
