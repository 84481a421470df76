import FoundationEssentials

/// An animation whose frames are decoded one after the other. Playing forward decodes one frame for each that is shown;
/// ``CompositedAnimation`` and ``SequentialAnimation`` say what any other order costs.
package final class CursorAnimation<Cursor: FrameCursor>: AnimatedImageProvider {
    package let loopCount: Int
    package let animatedImageData: Data?
    let frames: Cursor.Frames
    let cursors: CursorPool<Cursor>
    private let durations: [Double]
    private let options: ImageDecodeOptions
    private let decoded = DecodedFrames()

    /// - Parameters:
    ///   - milliseconds: How long each frame is shown, as the file says; at least one.
    ///   - data: The file, for whoever stores or encodes the animation.
    init(
        _ frames: Cursor.Frames, milliseconds: [Int], loopCount: Int, data: Data?, options: ImageDecodeOptions,
        cursors: CursorPool<Cursor>
    ) {
        self.frames = frames
        self.loopCount = loopCount
        self.cursors = cursors
        animatedImageData = data
        durations = milliseconds.map(FrameDuration.seconds)
        // Whoever gives up waiting for the picture does not give up its frames for everybody else.
        self.options = options.uninterrupted
    }

    package var frameCount: Int { durations.count }
    package var workingByteCount: Int { (animatedImageData?.count ?? 0) + cursors.heldByteCount }
    package var isAllFramesLoaded: Bool { decoded.areLoaded }
    /// How many cursors were made, which tests look at.
    var cursorCount: Int { cursors.madeCount }

    package func frame(at index: Int) throws(WebImageError) -> Bitmap { try frame(at: index, cancellation: nil) }

    /// The same for somebody who may lose interest.
    ///
    /// - Parameter keepsCursor: Whether the next frame is likely to be asked for soon.
    package func frame(
        at index: Int, cancellation: CancellationFlag?, keepsCursor: Bool = true
    ) throws(WebImageError) -> Bitmap {
        guard durations.indices.contains(index) else { throw .noFrame(index, of: durations.count) }
        if let bitmap = decoded[index] { return bitmap }
        var options = options.timed()
        options.cancellation = cancellation
        return try cursors.bitmap(at: index, in: frames, options: options, keepsCursor: keepsCursor)
    }

    /// Frame 0 for a picture that may never be played, in a cache for instance: what it was drawn on does not stay.
    package func poster(cancellation: CancellationFlag?) throws(WebImageError) -> Bitmap {
        try frame(at: 0, cancellation: cancellation, keepsCursor: false)
    }

    package func duration(at index: Int) -> Double { durations.indices.contains(index) ? durations[index] : 0 }

    /// Does nothing where the frames together have more pixels than one picture may have, or take longer than one may.
    package func preloadAllFrames() {
        let options = options.timed()
        decoded.load(count: durations.count, maximumPixelCount: options.limits.maximumPixelCount) {
            index throws(WebImageError) in
            try cursors.bitmap(at: index, in: frames, options: options)
        }
    }

    package func unloadAllFrames() { decoded.unload() }
}
