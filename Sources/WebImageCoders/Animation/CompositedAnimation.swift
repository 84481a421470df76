import FoundationEssentials
import WebImageCore
import WebImagePixels

/// An animation whose frames contain only the differences from the frame before (GIF, APNG, WebP).
///
/// Seeking starts at the nearest key frame before the target. Frames have the size in the options. The canvas has the
/// size of the file. Each thread that asks at the same time has a canvas of its own; two canvases are kept for some
/// seconds.
package typealias CompositedAnimation<Source: FrameSource> = CursorAnimation<CompositingCursor<Source>>

extension CursorAnimation {
    /// - Parameters:
    ///   - source: Has at least one frame.
    ///   - data: The file, for storing or encoding the animation.
    /// - Throws: ``WebImageError/Code/limitExceeded`` where the canvas is too large.
    package convenience init<Source>(
        _ source: Source, loopCount: Int, data: Data?, options: ImageDecodeOptions
    ) throws(WebImageError) where Cursor == CompositingCursor<Source> {
        try options.limits.check(source: source.canvasSize, held: source.canvasSize)
        // A canvas, a copy for frames that are restored, and a buffer for frames that are blended.
        let cursors = CursorPool<Cursor>(cursorByteCount: source.canvasSize.area * 12)
        self.init(source, loopCount: loopCount, data: data, options: options, cursors: cursors)
    }

    private convenience init<Source>(
        _ source: Source, loopCount: Int, data: Data?, options: ImageDecodeOptions, cursors: CursorPool<Cursor>
    ) where Cursor == CompositingCursor<Source> {
        self.init(
            Composition(source, options: options),
            durations: source.frames.map { FrameDuration.played(fromMilliseconds: $0.duration) },
            loopCount: loopCount, data: data, options: options, cursors: cursors)
    }

    /// The same animation with more frames at its end; reuses this one's canvases.
    func grown<Source>(
        to source: Source, loopCount: Int, options: ImageDecodeOptions
    ) -> CompositedAnimation<Source> where Cursor == CompositingCursor<Source> {
        CompositedAnimation(source, loopCount: loopCount, data: nil, options: options, cursors: cursors)
    }

    /// The picture that a coder returns: frame 0, and the animation where there is one.
    package func makeImage<Source>(
        of format: ImageFormat, isIncremental: Bool = false, options: ImageDecodeOptions
    ) throws(WebImageError) -> Image where Cursor == CompositingCursor<Source> {
        let poster = try poster(cancellation: options.cancellation)
        return frames.geometry.makeImage(
            poster, of: format, frameCount: frameCount, loopCount: loopCount,
            animation: frameCount > 1 ? self : nil, isIncremental: isIncremental, options: options)
    }
}
