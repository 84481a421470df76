import FoundationEssentials
import Testing
import WebImageHTTP

@Suite("Dates of HTTP")
struct HTTPDateTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test(
        "the three forms are understood, in whatever case",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("sun nov 16 08:49:37 1994", 784_975_777),
            ("SUN, 06 NOV 1994 08:49:37 gmt", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400), ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800),
            ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800),
        ])
    func forms(text: String, seconds: Double) {
        #expect(HTTPDate(text, now: now)?.date == Date(timeIntervalSince1970: seconds))
    }

    @Test(
        "a date is written in the form that is sent, which is read again", arguments: [0, 784_111_777, 951_782_400, -1])
    func writing(seconds: Int) {
        let text = HTTPDate.text(secondsSince1970: seconds)
        #expect(HTTPDate(text, now: now)?.date == Date(timeIntervalSince1970: Double(seconds)), "\(text)")
        #expect(seconds != 784_111_777 || text == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test(
        "a year of two digits is the one that is at most 50 years ahead",
        arguments: [("77", 2077), ("78", 1978), ("00", 2000)])
    func century(digits: String, year: Int) throws {
        let short = HTTPDate("Sunday, 06-Nov-\(digits) 08:49:37 GMT", now: now)
        let long = try #require(HTTPDate("Sun, 06 Nov \(year) 08:49:37 GMT", now: now))
        #expect(short?.date == long.date)
    }

    @Test(
        "a clock that is absurd ends no program",
        arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, 9e18, -9e18])
    func absurdClock(seconds: Double) {
        #expect(HTTPDate("Sunday, 06-Nov-94 08:49:37 GMT", now: Date(timeIntervalSince1970: seconds)) != nil)
    }

    @Test(
        "everything else is no date",
        arguments: [
            "", "0", "-1", "now", "Sat, 01 Jan 0000 00:00:00 GMT", "Sun, 06 Nov 1994 08:49:37",
            "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
            "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Mon, 29 Feb 1900 00:00:00 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun, 06-Nov-1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 +0100", "Sun Nov 6 08:49:37 1994",
            "Sün, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
        ])
    func malformed(text: String) {
        #expect(HTTPDate(text, now: now) == nil)
    }
}
