import FoundationEssentials
import WebImageCore

/// An animation whose frames are decoded in order. Playing forward decodes one frame per displayed frame;
/// ``CompositedAnimation`` and ``SequentialAnimation`` describe the cost of seeking.
package final class CursorAnimation<Cursor: FrameCursor>: AnimatedImageProvider {
    package let loopCount: Int
    package let animatedImageData: Data?
    let frames: Cursor.Frames
    let cursors: CursorPool<Cursor>
    private let durations: [Duration]
    private let options: ImageDecodeOptions
    private let decoded = DecodedFrames()

    /// - Parameters:
    ///   - durations: That of each frame as it is played; at least one.
    ///   - data: The file, for storing or encoding the animation.
    init(
        _ frames: Cursor.Frames, durations: [Duration], loopCount: Int, data: Data?, options: ImageDecodeOptions,
        cursors: CursorPool<Cursor>
    ) {
        self.frames = frames
        self.loopCount = loopCount
        self.cursors = cursors
        animatedImageData = data
        self.durations = durations
        // The cancellation of the first load must not end the animation for its other users.
        self.options = options.uninterrupted
    }

    package var frameCount: Int { durations.count }
    package var workingByteCount: Int { (animatedImageData?.count ?? 0) + cursors.heldByteCount }
    package var isAllFramesLoaded: Bool { decoded.areLoaded }
    /// The number of cursors created, for tests.
    var cursorCount: Int { cursors.madeCount }

    package func frame(at index: Int) throws(WebImageError) -> Bitmap { try frame(at: index, cancellation: nil) }

    /// The same, with cancellation.
    ///
    /// - Parameter keepsCursor: Whether the next frame is likely to be requested soon.
    package func frame(
        at index: Int, cancellation: CancellationFlag?, keepsCursor: Bool = true
    ) throws(WebImageError) -> Bitmap {
        guard durations.indices.contains(index) else { throw .noFrame(index, of: durations.count) }
        if let bitmap = decoded[index] { return bitmap }
        var options = options.timed()
        options.cancellation = cancellation
        return try cursors.bitmap(at: index, in: frames, options: options, keepsCursor: keepsCursor)
    }

    /// Frame 0 for a picture that may never be played, for instance in a cache: its canvas is not kept.
    package func poster(cancellation: CancellationFlag?) throws(WebImageError) -> Bitmap {
        try frame(at: 0, cancellation: cancellation, keepsCursor: false)
    }

    package func duration(at index: Int) -> Duration {
        durations.indices.contains(index) ? durations[index] : .zero
    }

    /// Does nothing where the frames together exceed the pixel limit or the time limit of one picture.
    package func preloadAllFrames() {
        let options = options.timed()
        decoded.load(count: durations.count, maximumPixelCount: options.limits.maximumPixelCount) {
            index throws(WebImageError) in
            try cursors.bitmap(at: index, in: frames, options: options)
        }
    }

    package func unloadAllFrames() { decoded.unload() }
}
