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
    /// One test: the origin's responses in order, and the expected results.
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

    /// One request of a test.
    struct Exchange: Sendable {
        enum Expectation: String, Sendable {
            case cached
            case notCached = "not_cached"
            case etagValidated = "etag_validated"
            case dateValidated = "lm_validated"

            var isValidation: Bool { self == .etagValidated || self == .dateValidated }
        }

        let expectation: Expectation?
        let expectedRequestHeaders: [Field]
        let expectedResponseHeaders: [Field]
        let pausesAfter: Bool
        let responseHeaders: [Field]
        /// Its requirements on a client beyond freshness, validators and merging.
        let extras: Set<String>
    }

    /// A header field, its name in lower case.
    struct Field: Sendable {
        enum Value: Sendable {
            case text(String)
            /// Written as a date where the field has one.
            case secondsFromNow(Int)
        }

        let name: String
        let value: Value

        var text: String? { if case .text(let text) = value { text } else { nil } }
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
        for _ in 0..<4 { package.deleteLastPathComponent() }
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
            exchanges: requests.map(exchange))
    }

    private static func exchange(_ json: [String: Any]) -> Exchange {
        Exchange(
            expectation: (json["expected_type"] as? String).flatMap(Exchange.Expectation.init),
            expectedRequestHeaders: fields(json["expected_request_headers"]),
            expectedResponseHeaders: fields(json["expected_response_headers"]),
            pausesAfter: json["pause_after"] as? Bool ?? false,
            responseHeaders: fields(json["response_headers"]), extras: Set(json.keys).subtracting(understood))
    }

    private static let understood: Set = [
        "expected_type", "expected_request_headers", "expected_response_headers", "pause_after", "response_headers",
        "setup", "setup_tests", "check_body", "response_body",
    ]

    private static func fields(_ json: Any?) -> [Field] {
        (json as? [[Any]] ?? []).compactMap { pair in
            guard pair.count > 1, let name = (pair[0] as? String)?.lowercased() else { return nil }
            let value = (pair[1] as? Int).map(Field.Value.secondsFromNow) ?? .text("\(pair[1])")
            return Field(name: name, value: value)
        }
    }
}
