import WebImageTestSupport
import Foundation
import Testing

@testable import WebImage

@Suite("HTTP caching, by the public tests of it", .needsHTTPCacheCorpus)
struct HTTPCacheCorpusTests {
    /// A private cache that follows ``HTTPCacheRules``, with a clock of its own.
    private struct Cache {
        var now = Date(timeIntervalSince1970: 1_800_000_000)
        var stored: (headers: [String: String], time: Date)?
        var requestHeaders: [String: String] = [:]
        var responseHeaders: [String: String] = [:]

        /// Requests the resource whose response is in `exchange`; returns whether the origin was asked, and how.
        mutating func request(_ exchange: HTTPCacheCorpus.Exchange) -> HTTPCacheCorpus.Exchange.Expectation {
            requestHeaders = [:]
            let rules = stored.map { HTTPCacheRules(headers: $0.headers, storedAt: $0.time) }
            if let rules, let stored, rules.isFresh(at: now) {
                responseHeaders = stored.headers
                return .cached
            }
            requestHeaders = rules?.validators ?? [:]
            let answer = answer(to: exchange)
            guard let rules, exchange.expectation?.isValidation == true, !requestHeaders.isEmpty else {
                return store(answer, as: .notCached)
            }
            return store(
                rules.headers(updatedBy: answer),
                as: requestHeaders["If-None-Match"] == nil ? .dateValidated : .etagValidated)
        }

        private mutating func store(
            _ headers: [String: String], as kind: HTTPCacheCorpus.Exchange.Expectation
        ) -> HTTPCacheCorpus.Exchange.Expectation {
            responseHeaders = headers
            stored = (headers, now)
            return kind
        }

        private func answer(to exchange: HTTPCacheCorpus.Exchange) -> [String: String] {
            let fields = exchange.responseHeaders.map { field in
                switch field.value {
                case .text(let text): (field.name, text)
                case .secondsFromNow(let seconds):
                    (
                        field.name,
                        ["date", "expires", "last-modified"].contains(field.name) ? date(after: seconds) : "\(seconds)"
                    )
                }
            }
            return Dictionary(fields) { "\($0), \($1)" }
        }

        private func date(after seconds: Int) -> String {
            let format = DateFormatter()
            format.locale = Locale(identifier: "en_US_POSIX")
            format.timeZone = TimeZone(identifier: "GMT")
            format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
            return format.string(from: now + Double(seconds))
        }
    }

    /// Optional features of caches that this one lacks: heuristic lifetimes, stale responses, and variants by request
    /// fields.
    private static let suites: Set = [
        "cc-freshness", "cc-parse", "age-parse", "expires", "expires-parse", "cc-response", "conditional-inm",
        "conditional-lm", "update304", "pragma",
    ]

    private static let applicable = HTTPCacheCorpus.tests.filter { test in
        suites.contains(test.suite) && test.kind != .check && test.exchanges.allSatisfy { $0.extras.isEmpty }
    }

    @Test("C2 OPT-3 freshness, validators and the changes by a 304", arguments: applicable)
    func applies(test: HTTPCacheCorpus.Test) {
        var cache = Cache()
        for (number, exchange) in test.exchanges.enumerated() {
            let outcome = cache.request(exchange)
            if let expectation = exchange.expectation { #expect(outcome == expectation, "request \(number + 1)") }
            for field in exchange.expectedRequestHeaders {
                #expect(cache.requestHeaders.first { $0.key.lowercased() == field.name }?.value == field.text)
            }
            for field in exchange.expectedResponseHeaders {
                #expect(cache.responseHeaders[field.name] == field.text, "request \(number + 1)")
            }
            if exchange.pausesAfter { cache.now += 3 }
        }
    }

    @Test("C2 an answer that varies by request fields is not used without revalidation")
    func varies() {
        let tests = HTTPCacheCorpus.tests.filter { ["vary", "vary-parse"].contains($0.suite) && $0.kind == .required }
        #expect(tests.count > 10)
        for test in tests where test.exchanges.last?.expectation == .notCached {
            var cache = Cache()
            for exchange in test.exchanges { #expect(cache.request(exchange) == .notCached, "\(test.id)") }
        }
    }

    @Test("the tests that apply are most of those about freshness, validators and 304")
    func count() {
        #expect(Self.applicable.count >= 75)
    }
}
