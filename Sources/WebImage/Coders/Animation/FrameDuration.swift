/// How long frames are shown.
package enum FrameDuration {
    /// Browsers show a frame that claims to take 10 ms or less for a tenth of a second: files say 0 for "I do not care".
    private static let shortestMilliseconds = 11
    private static let replacement = 0.1

    /// Seconds that a frame is shown whose file says `milliseconds`.
    package static func seconds(fromMilliseconds milliseconds: Int) -> Double {
        milliseconds < shortestMilliseconds ? replacement : Double(milliseconds) / 1000
    }

    /// Whole milliseconds for a file's container, of the moments that frames begin at, so that rounding never adds up.
    package static func milliseconds(of durations: [Double]) -> [Int] {
        var end = 0.0
        return durations.map { duration in
            let start = end
            end += max(0, duration) * 1000
            return Int(min(end, longestAnimation).rounded()) - Int(min(start, longestAnimation).rounded())
        }
    }

    /// More milliseconds than any container holds.
    private static let longestAnimation = 1e12
}
