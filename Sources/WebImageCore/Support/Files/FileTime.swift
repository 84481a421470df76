import FoundationEssentials

/// A time of a file system: nanoseconds since 1970. Times out of range become the nearest one in range, so that an
/// invalid date of a file causes no overflow.
package struct FileTime: Sendable, Hashable, Comparable {
    /// Nanoseconds since 1970-01-01 00:00 UTC.
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// A time in the form of `stat`.
    package init(seconds: Int, nanoseconds: Int) {
        let (product, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        self.nanoseconds = overflow ? (seconds < 0 ? .min : .max) : product.saturatingAdding(Int64(nanoseconds))
    }

    package init(_ date: Date) {
        nanoseconds = Int64(saturating: date.timeIntervalSince1970 * 1e9)
    }

    /// The time `interval` seconds before; `interval` may be infinite or negative.
    package func before(_ interval: TimeInterval) -> FileTime {
        FileTime(nanoseconds: nanoseconds.saturatingSubtracting(Int64(saturating: interval * 1e9)))
    }

    package static func < (lhs: FileTime, rhs: FileTime) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

    /// Whole seconds, rounded down, for `timespec`.
    package var wholeSeconds: Int {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return Int(rest < 0 ? seconds - 1 : seconds)
    }
    /// The remaining nanoseconds, 0 to 999,999,999.
    package var nanosecondsOfSecond: Int {
        let rest = nanoseconds % 1_000_000_000
        return Int(rest < 0 ? rest + 1_000_000_000 : rest)
    }
}

extension Int64 {
    /// The nearest integer in range; 0 for NaN.
    fileprivate init(saturating value: Double) {
        guard !value.isNaN else {
            self = 0
            return
        }
        self = Int64(exactly: value.rounded(.down)) ?? (value < 0 ? .min : .max)
    }

    fileprivate func saturatingAdding(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    fileprivate func saturatingSubtracting(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}
