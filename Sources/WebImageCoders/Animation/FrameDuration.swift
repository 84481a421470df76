import WebImageCore

/// The durations of frames.
package enum FrameDuration {
    /// Browsers show a frame with 10 ms or less for 100 ms: files have 0 when their author did not choose.
    static let shortest = 11
    /// In milliseconds, for a frame whose author did not choose.
    static let unchosen = 100

    /// The playback duration of a frame with `milliseconds` in the file.
    package static func played(fromMilliseconds milliseconds: Int) -> Duration {
        .milliseconds(milliseconds < shortest ? unchosen : milliseconds)
    }

    /// Whole milliseconds for a file. The start times are rounded instead of the durations, so that errors do not add
    /// up.
    package static func wholeMilliseconds(of durations: [Duration]) -> [Int] {
        var end = Duration.zero
        return durations.map { duration in
            let start = end
            end = min(end + min(max(.zero, duration), longestAnimation), longestAnimation)
            return end.wholeMilliseconds - start.wholeMilliseconds
        }
    }

    /// Longer than any container holds.
    private static let longestAnimation = Duration.seconds(1_000_000_000)
}
