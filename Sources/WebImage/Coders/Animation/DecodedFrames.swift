import Synchronization

/// All frames of an animation, where somebody wanted them decoded ahead. Any thread.
final class DecodedFrames: Sendable {
    private let bitmaps = Mutex<[Bitmap]?>(nil)

    var areLoaded: Bool { bitmaps.withLock { $0 != nil } }

    subscript(index: Int) -> Bitmap? { bitmaps.withLock { $0?[index] } }

    /// Decodes `count` frames. Nothing is kept unless all of them can be had.
    ///
    /// - Parameter maximumPixelCount: What all frames together may have.
    func load(count: Int, maximumPixelCount: Int, _ decode: (Int) throws(WebImageError) -> Bitmap) {
        guard !areLoaded else { return }
        var frames: [Bitmap] = []
        for index in 0..<count {
            guard let frame = try? decode(index), frame.size.area <= maximumPixelCount / count else { return }
            frames.append(frame)
        }
        bitmaps.withLock { $0 = frames }
    }

    func unload() { bitmaps.withLock { $0 = nil } }
}
