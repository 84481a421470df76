import Glibc

/// A moment as in curl's own files: `20261125 20:37:40`, in UTC.
struct CurlFileDate {
    /// Since 1970.
    let seconds: Int

    /// The end of the year 9999, the last moment that has such a text.
    static let last = 253_402_300_799

    init(seconds: Int) { self.seconds = min(max(0, seconds), Self.last) }

    init?(_ text: Substring) {
        if text == "unlimited" {
            self.init(seconds: Self.last)
            return
        }
        let digits = text.utf8.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.map { Int32($0) - 48 }
        guard text.utf8.count == 17, digits.count == 14 else { return nil }
        let number = { (range: Range<Int>) in digits[range].reduce(0) { $0 * 10 + $1 } }
        var parts = tm()
        parts.tm_year = number(0..<4) - 1900
        parts.tm_mon = number(4..<6) - 1
        parts.tm_mday = number(6..<8)
        parts.tm_hour = number(8..<10)
        parts.tm_min = number(10..<12)
        parts.tm_sec = number(12..<14)
        self.init(seconds: timegm(&parts))
    }

    var text: String {
        var (time, parts) = (time_t(seconds), tm())
        gmtime_r(&time, &parts)
        let padded = { (number: Int32) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(1900 + parts.tm_year)\(padded(parts.tm_mon + 1))\(padded(parts.tm_mday)) "
            + "\(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec))"
    }
}
