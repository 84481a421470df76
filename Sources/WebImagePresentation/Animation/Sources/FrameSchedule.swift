import Synchronization
import WebImageCore

/// The common part of animations that an app puts together: the durations of their frames, and one size.
final class FrameSchedule: Sendable {
    let durations: [Duration]
    let loopCount: Int
    private let size: Mutex<PixelSize?>

    /// - Parameters:
    ///   - durations: Negative ones become zero.
    ///   - size: That of all frames; nil for that of the first.
    /// - Throws: ``WebImageError/Code/invalidOperation`` without frames.
    init(_ durations: [Duration], loopCount: Int, size: PixelSize? = nil) throws(WebImageError) {
        guard !durations.isEmpty else { throw .invalidOperation("an animation needs at least one frame") }
        self.durations = durations.map { max(.zero, $0) }
        self.loopCount = max(0, loopCount)
        self.size = Mutex(size)
    }

    /// The same with a duration for each of `count` things that become frames.
    ///
    /// - Throws: Also for another number of durations.
    convenience init(
        _ durations: [Duration], of count: Int, loopCount: Int, size: PixelSize? = nil
    ) throws(WebImageError) {
        guard durations.count == count else {
            throw .invalidOperation("there are \(count) frames and \(durations.count) durations; give one for each")
        }
        try self.init(durations, loopCount: loopCount, size: size)
    }

    var count: Int { durations.count }

    func duration(at index: Int) -> Duration { durations.indices.contains(index) ? durations[index] : .zero }

    func requireFrame(_ index: Int) throws(WebImageError) {
        guard durations.indices.contains(index) else { throw .noFrame(index, of: durations.count) }
    }

    /// A frame, if it has the size of the first one.
    ///
    /// - Parameter first: Makes frame 0, where its size is not known yet.
    func checked(
        _ frame: Bitmap, at index: Int, first: () throws(WebImageError) -> Bitmap
    ) throws(WebImageError) -> Bitmap {
        let known = size.withLock { $0 }
        let expected: PixelSize
        if let known { expected = known } else { expected = index == 0 ? frame.size : try first().size }
        size.withLock { $0 = expected }
        guard frame.size == expected else {
            throw WebImageError(
                .badImageData, stage: .decode, kind: .permanent,
                reason:
                    "frame \(index) is \(frame.size) pixels and the first is \(expected); make all frames of one size")
        }
        return frame
    }
}
