import FoundationEssentials

/// An animation whose frames are decoded one after the other: what ``CompositedAnimation`` and ``SequentialAnimation``
/// have in common.
final class CursorAnimation<Cursor: FrameCursor>: Sendable {
    let frames: Cursor.Frames
    let durations: [Double]
    private let options: ImageDecodeOptions
    let cursors: CursorPool<Cursor>
    private let decoded = DecodedFrames()

    /// - Parameter durations: Seconds of each frame.
    init(_ frames: Cursor.Frames, durations: [Double], options: ImageDecodeOptions, cursors: CursorPool<Cursor>) {
        self.frames = frames
        self.durations = durations
        self.cursors = cursors
        // Whoever gives up waiting for the picture does not give up its frames for everybody else.
        self.options = options.uninterrupted
    }

    var areAllLoaded: Bool { decoded.areLoaded }

    func frame(at index: Int, cancellation: CancellationFlag? = nil) throws(WebImageError) -> Bitmap {
        guard durations.indices.contains(index) else { throw .noFrame(index, of: durations.count) }
        if let bitmap = decoded[index] { return bitmap }
        var options = options.timed()
        options.cancellation = cancellation
        return try cursors.bitmap(at: index, in: frames, options: options)
    }

    func duration(at index: Int) -> Double { durations.indices.contains(index) ? durations[index] : 0 }

    func loadAll() {
        decoded.load(count: durations.count) { index throws(WebImageError) in try frame(at: index) }
    }

    func unloadAll() { decoded.unload() }
}
