import WebImageCore
import WebImagePixels

/// The findings of a scan of a video.
struct VideoHeader: Sendable {
    let format: ImageFormat
    /// Columns and rows of the frames, with square pixels.
    let size: PixelSize
    /// Columns and rows as they are coded.
    var codedSize: PixelSize
    let orientation: ImageOrientation
    let frames: VideoTimes

    func geometry(_ options: ImageDecodeOptions) -> ThumbnailGeometry {
        ThumbnailGeometry(
            storedSourceSize: size, orientation: orientation, frameCount: frames.count, options: options)
    }

    var properties: ImageProperties {
        ImageProperties(
            format: format, pixelSize: orientation.apply(to: size), orientation: orientation, frameCount: frames.count,
            frameDurations: frames.count > 1 ? frames.durations : [])
    }
}

/// The times of a video's frames, in nanoseconds from its start.
struct VideoTimes: Sendable {
    /// Pictures that are closer are one frame: encoders write some that are not shown just before others.
    static let tolerance: Int64 = 2_000_000
    private static let usualDuration: Int64 = 40_000_000

    /// Ascending.
    let starts: [Int64]
    let durations: [Duration]
    /// Ascending.
    private let keys: [Int64]

    /// - Parameters:
    ///   - times: In the order of decoding.
    ///   - keys: Those of key frames.
    ///   - end: The end of the video; negative when unknown.
    init(_ times: [Int64], keys: [Int64], end: Int64) {
        let sorted = times.sorted()
        let starts = sorted.indices.filter { index in
            index + 1 == sorted.count || sorted[index + 1] - sorted[index] > Self.tolerance
        }.map { sorted[$0] }
        self.starts = starts
        self.keys = keys.sorted()
        durations = starts.indices.map { index in
            if index + 1 < starts.count { return .nanoseconds(starts[index + 1] - starts[index]) }
            let before = index > 0 ? starts[index] - starts[index - 1] : Self.usualDuration
            // Containers round, and include sound, which may go on.
            let rest = end - starts[index]
            return .nanoseconds(rest > Self.tolerance ? min(rest, max(before, Self.usualDuration)) : before)
        }
    }

    /// At least 1: the size was read from a picture.
    var count: Int { max(1, starts.count) }

    /// Whether decoding may go on from frame `index` to frame `target` without passing a key frame.
    func areInOneGroup(_ index: Int, _ target: Int) -> Bool {
        guard index <= target, starts.indices.contains(target) else { return false }
        let range = starts[index] + Self.tolerance...starts[target] + 2 * Self.tolerance
        return !keys.contains { range.contains($0) }
    }
}
