/// The durations of frames.
package enum FrameDuration {
    /// Browsers show a frame with 10 ms or less for 100 ms: files have 0 when their author did not choose.
    private static let shortestMilliseconds = 11
    private static let replacement = 0.1

    /// The playback duration of a frame with `milliseconds` in the file, in seconds.
    package static func seconds(fromMilliseconds milliseconds: Int) -> Double {
        milliseconds < shortestMilliseconds ? replacement : Double(milliseconds) / 1000
    }

    /// Whole milliseconds for a file. The start times are rounded instead of the durations, so that errors do not add
    /// up.
    package static func milliseconds(of durations: [Double]) -> [Int] {
        var end = 0.0
        return durations.map { duration in
            let start = end
            end += max(0, duration) * 1000
            return Int(min(end, longestAnimation).rounded()) - Int(min(start, longestAnimation).rounded())
        }
    }

    /// A larger number of milliseconds than any container holds.
    private static let longestAnimation = 1e12
}
