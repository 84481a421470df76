import Foundation
import Testing

extension Trait where Self == ConditionTrait {
    /// For suites that read the public tests of HTTP caches: where they are missing, they are skipped and say why.
    static var needsHTTPCacheCorpus: Self {
        .enabled(if: HTTPCacheCorpus.isPresent, "the corpus of HTTP caching is not beside the repository")
    }
}

/// The tests of HTTP caches that lie as data beside the package on the machines that have them (http-tests/cache-tests).
/// Suites that need them say so by `.needsHTTPCacheCorpus`.
enum HTTPCacheCorpus {
    /// One test: requests in order, the origin's responses to them, and what is expected.
    struct Test: CustomStringConvertible, Sendable {
        enum Kind: String, Sendable {
            case required, optimal, check
        }

        let suite: String
        let id: String
        let kind: Kind
        let exchanges: [Exchange]

        var description: String { id }
    }

    static var isPresent: Bool { !tests.isEmpty }

    /// The tests that apply to a private cache.
    static let tests: [Test] = {
        guard let data = try? Data(contentsOf: root.appending(path: "cache-tests.json")),
            let suites = try? JSONSerialization.jsonObject(with: data) as? [[String: Any]]
        else { return [] }
        let applicable = privateTests
        return suites.flatMap { suite in
            (suite["tests"] as? [[String: Any]] ?? []).compactMap { test($0, suite: suite["id"] as? String ?? "") }
        }
        .filter { applicable.contains($0.id) }
    }()

    private static let root: URL = {
        var package = URL(filePath: #filePath)
        for _ in 0..<3 { package.deleteLastPathComponent() }
        return package.deletingLastPathComponent().appending(path: "shared/http-cache-tests")
    }()

    private static var privateTests: Set<String> {
        let table = (try? String(contentsOf: root.appending(path: "APPLICABLE.tsv"), encoding: .utf8)) ?? ""
        return Set(
            table.split(separator: "\n").compactMap { line in
                let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
                return cells.count > 3 && cells[3] == "private" ? String(cells[1]) : nil
            })
    }

    private static func test(_ json: [String: Any], suite: String) -> Test? {
        guard let id = json["id"] as? String, let requests = json["requests"] as? [[String: Any]] else { return nil }
        return Test(
            suite: suite, id: id, kind: Test.Kind(rawValue: json["kind"] as? String ?? "required") ?? .check,
            exchanges: requests.map(Exchange.init))
    }
}

extension HTTPCacheCorpus {
    /// One request of a test.
    struct Exchange: Sendable {
        enum Expectation: String, Sendable {
            case cached
            case notCached = "not_cached"
            case etagValidated = "etag_validated"
            case dateValidated = "lm_validated"

            var isValidation: Bool { self == .etagValidated || self == .dateValidated }
        }

        /// A value that the test may leave open; nil inside for null.
        enum Stated<Value: Sendable>: Sendable {
            case open
            case stated(Value?)
        }

        let method: String
        let requestHeaders: [Field]
        let requestBody: String?
        let fileName: String?
        let query: String?
        let status: (code: Int, reason: String)?
        let responseHeaders: [Field]
        let responseBody: Stated<String>
        /// Whether `Location` and the like are relative to the test.
        let locationsAreRelative: Bool
        let disconnects: Bool
        let pausesAfter: Bool

        let expectation: Expectation?
        let expectedStatus: Stated<Int>
        let expectedText: Stated<String>
        let expectedMethod: String?
        let expectedRequestHeaders: [ExpectedField]
        let expectedResponseHeaders: [ExpectedField]
        let missingResponseHeaders: [ExpectedField]
        let checksBody: Bool

        fileprivate init(_ json: [String: Any]) {
            // The fields that browsers send for that mode of `fetch`.
            let reload =
                (json["cache"] as? String) == "no-cache" ? [Field(name: "Cache-Control", value: "max-age=0")] : []
            method = json["request_method"] as? String ?? "GET"
            requestHeaders = Field.list(json["request_headers"]) + reload
            requestBody = json["request_body"] as? String
            fileName = json["filename"] as? String
            query = json["query_arg"] as? String
            let line = json["response_status"] as? [Any]
            status = line.flatMap { line in (line.first as? Int).map { ($0, line.last as? String ?? "") } }
            responseHeaders = Field.list(json["response_headers"])
            responseBody = Self.stated(json, "response_body")
            locationsAreRelative = json["magic_locations"] as? Bool ?? false
            disconnects = json["disconnect"] as? Bool ?? false
            pausesAfter = json["pause_after"] as? Bool ?? false
            expectation = (json["expected_type"] as? String).flatMap(Expectation.init)
            expectedStatus = Self.stated(json, "expected_status")
            expectedText = Self.stated(json, "expected_response_text")
            expectedMethod = json["expected_method"] as? String
            expectedRequestHeaders = ExpectedField.list(json["expected_request_headers"])
            expectedResponseHeaders = ExpectedField.list(json["expected_response_headers"])
            missingResponseHeaders = ExpectedField.list(json["expected_response_headers_missing"])
            checksBody = json["check_body"] as? Bool ?? true
        }

        private static func stated<Value>(_ json: [String: Any], _ name: String) -> Stated<Value> {
            json[name].map { .stated($0 as? Value) } ?? .open
        }
    }

    /// A header field.
    struct Field: Sendable {
        let name: String
        /// As written, where it is text.
        let text: String?
        /// Seconds from now, where it is a number: written as a date where the field has one.
        let seconds: Int?

        init(name: String, value: Any) {
            self.name = name
            seconds = value as? Int
            text = value as? String
        }

        private static let dates: Set = [
            "date", "expires", "last-modified", "if-modified-since", "if-unmodified-since",
        ]

        func value(at now: Date) -> String {
            guard let seconds else { return text ?? "" }
            return Self.dates.contains(name.lowercased()) ? (now + Double(seconds)).httpDate : "\(seconds)"
        }

        fileprivate static func list(_ json: Any?) -> [Field] {
            (json as? [[Any]] ?? []).compactMap { pair in
                guard pair.count > 1, let name = pair[0] as? String else { return nil }
                return Field(name: name, value: pair[1])
            }
        }
    }

    /// A field that must be there: at all, with this value, or with a larger number.
    struct ExpectedField: Sendable {
        let name: String
        var value: Field?
        var least: Int?

        fileprivate static func list(_ json: Any?) -> [ExpectedField] {
            (json as? [Any] ?? []).compactMap { item in
                if let name = item as? String { return ExpectedField(name: name) }
                guard let parts = item as? [Any], let name = parts.first as? String, parts.count > 1 else { return nil }
                if parts.count > 2 { return ExpectedField(name: name, least: parts[2] as? Int) }
                return ExpectedField(name: name, value: Field(name: name, value: parts[1]))
            }
        }
    }
}

extension Date {
    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    var httpDate: String {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "GMT")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format.string(from: self)
    }
}
