import FoundationEssentials
import Synchronization
import WebImageCore

/// An app's own class for the animations of ``ScriptedAnimationCoder``; each `Kind` makes another class.
final class ScriptedAnimatedImage<Kind: Sendable>: AnimatedImage {
    let frameCount: Int
    let loopCount = 3
    private let preloads = Mutex(0)

    /// nil for still pictures.
    init?(data: Data, options: ImageDecodeOptions) {
        guard let numbers = ScriptedAnimationCoder.numbers(data), numbers[2] > 1 else { return nil }
        frameCount = numbers[2]
    }

    /// The number of calls of ``preloadAllFrames()``.
    var preloadCount: Int { preloads.withLock { $0 } }

    func frame(at index: Int) throws(WebImageError) -> Bitmap { try Bitmap(size: .square(1), pixels: [0, 0, 0, 255]) }
    func duration(at index: Int) -> Duration { .milliseconds(100) }
    func preloadAllFrames() { preloads.withLock { $0 += 1 } }
}

/// A class that refuses every animation.
final class RefusingAnimatedImage: AnimatedImage {
    let frameCount = 1
    let loopCount = 0

    init?(data: Data, options: ImageDecodeOptions) { nil }

    func frame(at index: Int) throws(WebImageError) -> Bitmap { try Bitmap(size: .square(1), pixels: [0, 0, 0, 255]) }
    func duration(at index: Int) -> Duration { .milliseconds(100) }
    func preloadAllFrames() {}
}
