import Synchronization
import WebImageCore

/// All frames of an animation, if they were preloaded. Any thread.
package final class DecodedFrames: Sendable {
    private let bitmaps = Mutex<[Bitmap]?>(nil)

    package init() {}

    package var areLoaded: Bool { bitmaps.withLock { $0 != nil } }

    package subscript(index: Int) -> Bitmap? { bitmaps.withLock { $0?[index] } }

    /// Decodes `count` frames. Keeps none unless all of them could be decoded.
    ///
    /// - Parameter maximumPixelCount: The limit for all frames together.
    package func load(count: Int, maximumPixelCount: Int, _ decode: (Int) throws(WebImageError) -> Bitmap) {
        guard !areLoaded else { return }
        var frames: [Bitmap] = []
        for index in 0..<count {
            guard let frame = try? decode(index), frame.size.area <= maximumPixelCount / count else { return }
            frames.append(frame)
        }
        bitmaps.withLock { $0 = frames }
    }

    package func unload() { bitmaps.withLock { $0 = nil } }
}
