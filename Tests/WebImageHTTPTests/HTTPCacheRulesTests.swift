import FoundationEssentials
import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageHTTP

@Suite("Rules of HTTP caching")
struct HTTPCacheRulesTests {
    private let stored = Date(timeIntervalSince1970: 1_800_000_000)

    private func isFresh(_ headers: [String: String], after seconds: Double) -> Bool {
        HTTPCacheRules(headers: headers, storedAt: stored).isFresh(at: stored.addingTimeInterval(seconds))
    }

    @Test("OPT-3 an answer is fresh until its stated age, and no longer")
    func lifetime() {
        #expect(isFresh(["cache-control": "max-age=60"], after: 59.9))
        #expect(!isFresh(["cache-control": "max-age=60"], after: 60))
        #expect(!isFresh(["cache-control": "max-age=60", "age": "50"], after: 10))
    }

    @Test("OPT-3 nothing is guessed: an answer that states no lifetime is stale at once")
    func noHeuristics() {
        #expect(!isFresh([:], after: 0))
        #expect(!isFresh(["last-modified": "Thu, 01 Jan 1970 00:00:00 GMT", "etag": "\"1\""], after: 0))
        #expect(!isFresh(["cache-control": "public, must-revalidate, immutable"], after: 0))
    }

    @Test(
        "OPT-3 an answer that must not be used without asking is stale at once",
        arguments: [
            "no-cache, max-age=60", "max-age=60, no-store", "max-age=60, No-Cache=\"\"", "max-age=60,\tno-cache",
            ",,no-store,,max-age=60",
        ])
    func forbidden(field: String) {
        #expect(!isFresh(["cache-control": field], after: 0))
    }

    @Test(
        "OPT-3 an unreliable lifetime counts as none",
        arguments: [
            "max-age", "max-age=", "max-age=-1", "max-age=1.5", "max-age=60s", "max-age= 60", "max-age =60",
            "max-age=\"60", "max-age='60'", "max-age=60, max-age=61", "max-age=\u{661}", "x=\"max-age=60\"",
        ])
    func malformed(field: String) {
        let future = "Sun, 21 Nov 2286 04:46:39 GMT"
        #expect(!isFresh(["cache-control": field, "expires": field.hasPrefix("x") ? "0" : future], after: 0))
    }

    @Test("a quoted lifetime, an absurdly long one and one that is said twice are understood")
    func odd() {
        #expect(isFresh(["cache-control": "max-age=\"60\""], after: 1))
        #expect(isFresh(["cache-control": "max-age=99999999999999999999999999"], after: 1_000_000_000))
        #expect(isFresh(["cache-control": "a=\"\\\", no-store\", MAX-AGE=60, max-age=60"], after: 1))
    }

    @Test("OPT-3 Expires counts from Date, and only where max-age is silent")
    func expires() {
        let headers = ["date": "Fri, 15 Jan 2027 08:00:00 GMT", "expires": "Fri, 15 Jan 2027 08:01:00 GMT"]
        #expect(isFresh(headers, after: 59))
        #expect(!isFresh(headers, after: 60))
        #expect(!isFresh(headers.merging(["cache-control": "max-age=10"]) { $1 }, after: 10))
        #expect(isFresh(headers.merging(["cache-control": "max-age=100"]) { $1 }, after: 99))
        #expect(!isFresh(headers.merging(["expires": "0"]) { $1 }, after: 0))
    }

    @Test("OPT-3 the age on arrival counts towards the age now")
    func apparentAge() {
        // 10 seconds before it was stored, by the server's clock.
        let headers = ["date": "Fri, 15 Jan 2027 07:59:50 GMT", "cache-control": "max-age=60"]
        #expect(isFresh(headers, after: 49))
        #expect(!isFresh(headers, after: 50))
    }

    @Test("OPT-3 after the clock was set back nothing is fresh")
    func clockSetBack() {
        #expect(!isFresh(["cache-control": "max-age=60"], after: -1))
    }

    @Test(
        "OPT-3 C2 an answer is one to requests with the same values of the fields that it varies by",
        arguments: [
            ("*", "", "", false), ("accept, *", "1", "1", false), ("X", "1", "1", true), ("X", "1", "2", false),
            ("x , Y", "1", "1", true), ("X", "", "1", false), ("X", "1", "", false), ("X", "", "", true),
            ("X", "1,2", " 1 , 2 ", true), ("X", "1,2", "2,1", false), ("X", "a", "A", false),
            ("X", "\"a, b\"", "\"a,b\"", false),
        ])
    func vary(field: String, stored: String, asked: String, isFresh: Bool) {
        var headers = ["cache-control": "max-age=60", "vary": field]
        if !stored.isEmpty { headers[":vary-x"] = stored }
        let rules = HTTPCacheRules(headers: headers, storedAt: self.stored)
        let request = asked.isEmpty ? [:] : ["x": asked]
        #expect((rules.use(for: request, at: self.stored + 1) == .atOnce) == isFresh)
    }

    @Test("C2 languages are the same in any order and case, and a value that was not known is never")
    func varyByLanguage() {
        var headers = [
            "cache-control": "max-age=60", "vary": "Accept-Language", ":vary-accept-language": "en, de;q=0.5",
        ]
        let use = { HTTPCacheRules(headers: headers, storedAt: stored).use(for: $0, at: stored + 1) }
        #expect(use(["accept-language": "DE;q=0.5 ,en"]) == .atOnce)
        #expect(use(["accept-language": "de, en;q=0.5"]) == .afterRevalidation(evenOnErrors: false))
        headers[":vary"] = "1"
        #expect(use(["accept-language": "en, de;q=0.5"]) == .afterRevalidation(evenOnErrors: false))
    }

    private static let wishCases: [(String, String, CachedUse)] = [
        ("max-age=60", "max-age=11", .atOnce),
        ("max-age=60", "max-age=10", .afterRevalidation(evenOnErrors: false)),
        ("max-age=60", "min-fresh=50", .atOnce),
        ("max-age=60", "min-fresh=51", .afterRevalidation(evenOnErrors: false)),
        ("max-age=60", "no-cache", .afterRevalidation(evenOnErrors: false)),
        ("max-age=60", "no-store", .afterRevalidation(evenOnErrors: false)),
        ("max-age=5", "max-stale=5", .atOnce),
        ("max-age=5", "max-stale=4", .afterRevalidation(evenOnErrors: false)),
        ("max-age=5", "max-stale", .atOnce),
        ("max-age=5, must-revalidate", "max-stale", .afterRevalidation(evenOnErrors: false)),
        ("max-age=60, immutable", "max-age=0", .atOnce),
        ("max-age=60, immutable", "no-cache", .afterRevalidation(evenOnErrors: false)),
        ("max-age=5, immutable", "max-age=0", .afterRevalidation(evenOnErrors: false)),
        ("max-age=5, stale-while-revalidate=5", "", .whileRevalidated),
        ("max-age=5, stale-while-revalidate=4", "", .afterRevalidation(evenOnErrors: false)),
        ("max-age=5, stale-while-revalidate=5", "max-age=0", .afterRevalidation(evenOnErrors: false)),
        ("max-age=5, stale-if-error=5", "", .afterRevalidation(evenOnErrors: true)),
        ("max-age=5", "stale-if-error=5", .afterRevalidation(evenOnErrors: true)),
        ("no-cache=\"a\", max-age=60", "", .atOnce),
    ]

    @Test("DL-24 a request may demand more than freshness, or less", arguments: wishCases)
    func wishes(response: String, request: String, use: CachedUse) {
        let rules = HTTPCacheRules(headers: ["cache-control": response], storedAt: stored)
        #expect(rules.use(for: ["cache-control": request], at: stored + 10) == use)
    }

    @Test("DL-24 an answer has its age, and neither notes nor fields that must not be used")
    func answer() {
        let headers = [
            "cache-control": "max-age=60, no-cache=\"A, b\"", "a": "1", "b": "2", "c": "3", "age": "5",
            ":status": "200",
        ]
        let answer = HTTPCacheRules(headers: headers, storedAt: stored).answer(at: stored + 2.5)
        #expect(answer == ["cache-control": "max-age=60, no-cache=\"A, b\"", "c": "3", "age": "7"])
    }

    @Test("DL-24 where it is asked for, a lifetime is guessed from the last change, a week at most")
    func heuristics() {
        let day = 86400.0
        let headers = ["date": "Fri, 15 Jan 2027 08:00:00 GMT", "last-modified": "Tue, 05 Jan 2027 08:00:00 GMT"]
        func isFresh(_ more: [String: String], after seconds: Double, _ fraction: Double = 0.1) -> Bool {
            HTTPCacheRules(headers: headers.merging(more) { $1 }, storedAt: stored, heuristicFraction: fraction)
                .isFresh(at: stored + seconds)
        }
        #expect(isFresh([:], after: day - 1) && !isFresh([:], after: day))
        #expect(!isFresh([:], after: 0, 0))
        #expect(isFresh([:], after: 7 * day - 1, 1) && !isFresh([:], after: 7 * day, 1))
        #expect(!isFresh(["expires": "0"], after: 0) && !isFresh(["cache-control": "max-age=0"], after: 0))
        #expect(!isFresh([":status": "403"], after: 0))
        #expect(isFresh([":status": "403", "cache-control": "public"], after: 1))
    }

    @Test("DL-24 an answer after a redirect is not fresh for longer than the redirect")
    func redirects() {
        #expect(!isFresh(["cache-control": "max-age=60", ":redirect-lifetime": "5"], after: 5))
        #expect(isFresh(["cache-control": "max-age=60", ":redirect-lifetime": "5"], after: 4))
        #expect(!isFresh(["cache-control": "max-age=5", ":redirect-lifetime": "inf"], after: 5))
    }

    @Test(
        "C2 validators are returned as they came, weak, strong or odd",
        arguments: ["\"1\"", "W/\"1\"", "w/\"1\"", "unquoted", "\"a, b\"", "\"ü\""])
    func validators(tag: String) {
        let rules = HTTPCacheRules(headers: ["etag": tag, "last-modified": "once upon a time"], storedAt: stored)
        #expect(rules.validators == ["If-None-Match": tag, "If-Modified-Since": "once upon a time"])
        #expect(HTTPCacheRules(headers: ["etag": ""], storedAt: stored).validators.isEmpty)
    }

    @Test("C2 a 304 replaces the fields that it has, keeps the others, and starts a new life")
    func merge() {
        let rules = HTTPCacheRules(
            headers: [
                "etag": "\"1\"", "cache-control": "max-age=1", "age": "1000", "date": "Fri, 15 Jan 2027 07:00:00 GMT",
                "content-type": "image/png", "content-encoding": "gzip", "content-length": "10", "x-old": "1",
            ], storedAt: stored)
        let merged = rules.headers(updatedBy: [
            "etag": "W/\"1\"", "cache-control": "max-age=60", "content-encoding": "br", "content-length": "0",
            "connection": "close, X-Hop", "x-hop": "1", "x-new": "1", "transfer-encoding": "chunked",
        ])
        #expect(
            merged == [
                "etag": "W/\"1\"", "cache-control": "max-age=60", "content-type": "image/png",
                "content-encoding": "gzip", "content-length": "10", "x-old": "1", "x-new": "1",
            ])
        #expect(isFresh(merged, after: 59))
    }

    @Test("304s with ever new fields do not make the stored ones larger than a head; what decides stays")
    func growth() {
        let stored = [
            "etag": "\"1\"", "cache-control": "max-age=10", "content-type": "image/png", ":status": "200",
            "x-first": "1",
        ]
        var headers = stored
        for number in 0..<20 {
            let news = ["x-\(number)": String(repeating: "a", count: 100_000), "date": "\(number)"]
            headers = HTTPCacheRules(headers: headers, storedAt: Date()).headers(updatedBy: news)
        }
        #expect(headers.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } <= 256 << 10)
        #expect(headers["x-19"] != nil && headers["date"] == "19")
        for name in ["etag", "cache-control", "content-type", ":status"] { #expect(headers[name] == stored[name]) }
        // One field for which there is no room leaves that for others.
        let large = String(repeating: "b", count: 300_000)
        let rules = HTTPCacheRules(headers: stored, storedAt: Date())
        #expect(rules.headers(updatedBy: ["x-large": large]) == stored)
    }

    @Test("DL-24 the time that a response takes counts as its age (RFC 9111 §4.2.3), until a 304 comes")
    func delay() {
        let headers = ["cache-control": "max-age=60", "age": "10", ":delay": "5.5"]
        #expect(isFresh(headers, after: 44.4))
        #expect(!isFresh(headers, after: 44.5))
        let rules = HTTPCacheRules(headers: headers, storedAt: stored)
        #expect(rules.answer(at: stored)["age"] == "15")
        #expect(rules.answer(at: stored)[":delay"] == nil)
        #expect(rules.headers(updatedBy: [:])[":delay"] == nil)
        #expect(rules.headers(updatedBy: [:], delay: "2")[":delay"] == "2")
        // Time that the apparent age covers is not counted twice.
        let dated = ["cache-control": "max-age=60", "date": "Fri, 15 Jan 2027 07:59:50 GMT", ":delay": "5"]
        #expect(isFresh(dated, after: 49) && !isFresh(dated, after: 50))
        #expect(TransferMetrics(total: .milliseconds(99)).delayNote == nil)
        #expect(TransferMetrics(total: .milliseconds(1500)).delayNote == "1.5")
    }

    @Test("DL-24 an answer is stale from the end of its lifetime on, whatever allows to use it")
    func staleness() {
        let rules = HTTPCacheRules(
            headers: ["cache-control": "max-age=60, stale-while-revalidate=60"], storedAt: stored)
        #expect(!rules.isStale(at: stored + 59) && rules.isStale(at: stored + 60) && rules.isStale(at: stored - 1))
        #expect(HTTPCacheRules(headers: [:], storedAt: stored).isStale(at: stored))
    }

    @Test("no header field of random bytes is more than stale")
    func randomFields() {
        var random = SeededGenerator(seed: 7)
        let pieces = [
            "max-age=", "\"", "\\", ",", "no-", "=", "GMT", "Sun, ", "06-Nov-94 ", "99999999999", "\u{FFFD}", " ",
        ]
        for _ in 0..<5000 {
            let text = (0..<8).map { _ in pieces[Int.random(in: pieces.indices, using: &random)] }.joined()
            let headers = ["cache-control": text, "expires": text, "date": text, "age": text, "vary": text]
            _ = isFresh(headers, after: 1)
            _ = HTTPCacheRules(headers: headers, storedAt: stored).headers(updatedBy: ["connection": text])
        }
    }
}
