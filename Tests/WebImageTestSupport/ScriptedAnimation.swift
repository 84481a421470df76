import Synchronization
import WebImageCore

/// Frames whose first pixel is their index, and a record of the decodes.
package final class ScriptedAnimation: AnimatedImageProvider {
    package let frameCount: Int
    package let loopCount: Int
    package let durations: [Duration]
    package let size: PixelSize
    let failures: Set<Int>
    /// Frames that fail at their first decode, for a reason that passes.
    let passingFailures: Set<Int>
    private let asked = Mutex<[Int]>([])

    package init(
        _ frameCount: Int, loopCount: Int = 0, durations: [Duration] = [.milliseconds(100)],
        size: PixelSize = PixelSize(width: 2, height: 2), failures: Set<Int> = [],
        passingFailures: Set<Int> = []
    ) {
        self.frameCount = frameCount
        self.loopCount = loopCount
        self.durations = durations
        self.size = size
        self.failures = failures
        self.passingFailures = passingFailures
    }

    /// The indices of all decoded frames.
    package var decoded: [Int] { asked.withLock { $0 } }
    package var frameByteCount: Int { size.area * 4 }

    package func frame(at index: Int) throws(WebImageError) -> Bitmap {
        let isFirst = asked.withLock { asked in
            defer { asked.append(index) }
            return !asked.contains(index)
        }
        if isFirst, passingFailures.contains(index) {
            throw WebImageError(
                .limitExceeded, stage: .decode, kind: .transient, reason: "no memory for frame \(index)")
        }
        guard !failures.contains(index), (0..<frameCount).contains(index) else {
            throw WebImageError(.badImageData, stage: .decode, kind: .permanent, reason: "frame \(index) is damaged")
        }
        var pixels = [UInt8](repeating: 255, count: frameByteCount)
        pixels[0] = UInt8(index % 256)
        return try Bitmap(size: size, pixels: pixels)
    }

    package func duration(at index: Int) -> Duration { durations[index % durations.count] }
    package func preloadAllFrames() {}
}

extension Bitmap {
    /// The index that ``ScriptedAnimation`` has written.
    package var scriptedIndex: Int { withUnsafeBytes { Int($0[0]) } }
}
