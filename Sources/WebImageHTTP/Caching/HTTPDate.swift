import FoundationEssentials
import Glibc

/// The three formats of dates in HTTP (RFC 9110 §5.6.7); any other text is no date.
package struct HTTPDate {
    package let date: Date

    /// - Parameter now: Determines the century of a year with two digits.
    package init?(_ text: String, now: Date) {
        let parse = [Self.parsePreferred, { Self.parseRFC850(&$0, now: now) }, Self.parseAsctime]
        for form in parse {
            var scanner = HTTPDateScanner(text)
            guard let parts = form(&scanner), scanner.isAtEnd, let date = parts.date else { continue }
            self.date = date
            return
        }
        return nil
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    private static func parsePreferred(_ scanner: inout HTTPDateScanner) -> HTTPDateParts? {
        guard scanner.name(of: weekdays) != nil, scanner.skip(", "),
            let day = scanner.number(digits: 2), scanner.skip(" "),
            let month = scanner.name(of: months), scanner.skip(" "),
            let year = scanner.number(digits: 4), scanner.skip(" "),
            let second = scanner.secondOfDay(), scanner.skip(" GMT")
        else { return nil }
        return HTTPDateParts(year: year, month: month + 1, day: day, second: second)
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`
    private static func parseRFC850(_ scanner: inout HTTPDateScanner, now: Date) -> HTTPDateParts? {
        guard scanner.name(of: longWeekdays) != nil, scanner.skip(", "),
            let day = scanner.number(digits: 2), scanner.skip("-"),
            let month = scanner.name(of: months), scanner.skip("-"),
            let year = scanner.number(digits: 2), scanner.skip(" "),
            let second = scanner.secondOfDay(), scanner.skip(" GMT")
        else { return nil }
        // A date that appears to be more than 50 years ahead is in the most recent past year with the same digits.
        let years = now.timeIntervalSince1970 / (365.2425 * 86400)
        // With an absurd clock, which a damaged entry may have set, the century is that of 1970.
        let thisYear = 1970 + (abs(years) < 8000 ? Int(years) : 0)
        var whole = thisYear / 100 * 100 + year
        if whole > thisYear + 50 { whole -= 100 }
        return HTTPDateParts(year: whole, month: month + 1, day: day, second: second)
    }

    /// `Sun Nov  6 08:49:37 1994`
    private static func parseAsctime(_ scanner: inout HTTPDateScanner) -> HTTPDateParts? {
        guard scanner.name(of: weekdays) != nil, scanner.skip(" "),
            let month = scanner.name(of: months), scanner.skip(" "),
            let day = scanner.skip(" ") ? scanner.number(digits: 1) : scanner.number(digits: 2), scanner.skip(" "),
            let second = scanner.secondOfDay(), scanner.skip(" "),
            let year = scanner.number(digits: 4)
        else { return nil }
        return HTTPDateParts(year: year, month: month + 1, day: day, second: second)
    }

    private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let longWeekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
}

extension HTTPDate {
    /// Seconds since 1970 in the format that is sent (RFC 9110 §5.6.7).
    package static func text(secondsSince1970 seconds: Int) -> String {
        var (time, parts) = (time_t(seconds), tm())
        gmtime_r(&time, &parts)
        let number = { (value: Int32) in (value < 10 ? "0" : "") + "\(value)" }
        let (day, month) = (weekdays[Int(parts.tm_wday + 6) % 7], months[Int(parts.tm_mon)])
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(number).joined(separator: ":")
        return "\(day.capitalized), \(number(parts.tm_mday)) \(month.capitalized) \(1900 + parts.tm_year) \(clock) GMT"
    }
}

/// The parts of a written date, in UTC.
private struct HTTPDateParts {
    let year: Int
    let month: Int
    let day: Int
    let second: Int

    /// nil for a day that its month does not have, and for the year 0.
    var date: Date? {
        guard year > 0, (1...daysInMonth).contains(day) else { return nil }
        return Date(timeIntervalSince1970: Double(daysSince1970 * 86400 + second))
    }

    private var daysInMonth: Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Years are counted from March, so that the leap day is the last of its year.
    private var daysSince1970: Int {
        let marchYear = month <= 2 ? year - 1 : year
        let days = 365 * marchYear + marchYear / 4 - marchYear / 100 + marchYear / 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return days + dayOfYear - 719_468
    }
}

/// Reads the parts of a date, each exactly in its format; letters in upper or lower case.
private struct HTTPDateScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ text: String) -> Bool {
        let start = Substring(rest.prefix(text.utf8.count)).lowercased()
        guard start == text.lowercased() else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    /// The index of the next name in `names`, which are in lower case.
    mutating func name(of names: [String]) -> Int? {
        for (index, name) in names.enumerated() where skip(name) { return index }
        return nil
    }

    mutating func number(digits: Int) -> Int? {
        let text = rest.prefix(digits)
        guard text.count == digits, text.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        rest = rest.dropFirst(digits)
        return Int(Substring(text))
    }

    /// `08:49:37`, 60 for a leap second.
    mutating func secondOfDay() -> Int? {
        guard let hour = number(digits: 2), hour < 24, skip(":"),
            let minute = number(digits: 2), minute < 60, skip(":"),
            let second = number(digits: 2), second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }
}
