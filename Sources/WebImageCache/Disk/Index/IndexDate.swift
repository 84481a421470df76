import WebImageCore

/// A time to the second, in four bytes: 1970 to 2106. Times out of range become the nearest one in range.
struct IndexDate: Sendable, Hashable, Comparable, BitwiseCopyable {
    let seconds: UInt32

    init(seconds: UInt32) { self.seconds = seconds }

    init(_ time: FileTime) { seconds = UInt32(clamping: time.wholeSeconds) }

    /// Stands for a date that was not read from the file.
    static let unknown = IndexDate(seconds: 0)
    var isKnown: Bool { self != .unknown }

    /// The beginning of that second.
    var time: FileTime { FileTime(seconds: Int(seconds), nanoseconds: 0) }

    static func < (lhs: IndexDate, rhs: IndexDate) -> Bool { lhs.seconds < rhs.seconds }
}
