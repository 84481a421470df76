import FoundationEssentials

/// An animation whose frames say what differs from the frame before (GIF, APNG, WebP).
///
/// Playing in any order but forward begins at the nearest frame before that depends on nothing. Frames come at the size
/// that the options ask for; what they are drawn on is as large as the file says, and there is one such canvas for each
/// thread that asks at the same time, of which two stay for some seconds.
package typealias CompositedAnimation<Source: FrameSource> = CursorAnimation<CompositingCursor<Source>>

extension CursorAnimation {
    /// - Parameters:
    ///   - source: Has at least one frame.
    ///   - data: The file, for whoever stores or encodes the animation.
    /// - Throws: ``WebImageError/Code/limitExceeded`` where the canvas is too large.
    package convenience init<Source>(
        _ source: Source, loopCount: Int, data: Data?, options: ImageDecodeOptions
    ) throws(WebImageError) where Cursor == CompositingCursor<Source> {
        try options.limits.check(source: source.canvasSize, held: source.canvasSize)
        // A canvas, what frames that are taken back have covered, and a frame that is laid over it.
        let cursors = CursorPool<Cursor>(cursorByteCount: source.canvasSize.area * 12)
        self.init(source, loopCount: loopCount, data: data, options: options, cursors: cursors)
    }

    private convenience init<Source>(
        _ source: Source, loopCount: Int, data: Data?, options: ImageDecodeOptions, cursors: CursorPool<Cursor>
    ) where Cursor == CompositingCursor<Source> {
        self.init(
            Composition(source, options: options), milliseconds: source.frames.map(\.duration), loopCount: loopCount,
            data: data, options: options, cursors: cursors)
    }

    /// The same animation with more frames at its end, on the canvases of this one.
    func grown<Source>(
        to source: Source, loopCount: Int, options: ImageDecodeOptions
    ) -> CompositedAnimation<Source> where Cursor == CompositingCursor<Source> {
        CompositedAnimation(source, loopCount: loopCount, data: nil, options: options, cursors: cursors)
    }

    /// The picture that a coder delivers: frame 0, and the animation where there is one.
    package func makeImage<Source>(
        of format: ImageFormat, isIncremental: Bool = false, options: ImageDecodeOptions
    ) throws(WebImageError) -> Image where Cursor == CompositingCursor<Source> {
        let poster = try poster(cancellation: options.cancellation)
        return frames.geometry.makeImage(
            poster, of: format, frameCount: frameCount, loopCount: loopCount,
            animation: frameCount > 1 ? self : nil, isIncremental: isIncremental, options: options)
    }
}
