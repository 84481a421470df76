import Foundation

extension Date {
    /// A date for a file, that many seconds from now. Foundation hands dates on in microseconds, and fails where it rounds to a
    /// million of them.
    static func fileTime(fromNow seconds: TimeInterval) -> Date {
        Date(timeIntervalSince1970: ((Date().timeIntervalSince1970 + seconds) * 10_000).rounded(.down) / 10_000)
    }
}
