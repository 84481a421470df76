import Foundation
import Testing

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// `Docs/HTTPCaching.md` has the reasons of the failures.
@Suite("HTTP caching, by the public tests of it", .needsHTTPCacheCorpus, .timeLimit(.minutes(5)))
struct HTTPCacheCorpusTests {
    private typealias Kind = HTTPCacheCorpus.Test.Kind

    private static let failures: [Kind: Set<String>] = [
        .required: ["headers-store-Content-Encoding", "headers-store-Transfer-Encoding"],
        .optimal: [
            "heuristic-204-cached", "status-204-fresh", "vary-invalidate", "vary-normalise-lang-select",
            "partial-store-partial-complete", "partial-store-partial-reuse-partial",
            "partial-store-partial-reuse-partial-absent", "partial-store-partial-reuse-partial-byterange",
            "partial-store-partial-reuse-partial-suffix",
        ],
    ]

    @Test("C2 DL-24 the public tests of HTTP caches, each request by a new manager")
    func scores() async throws {
        let driver = try HTTPCacheDriver()
        let failed = try await Self.run(HTTPCacheCorpus.tests, driver)
        for kind in [Kind.required, .optimal] {
            let all = HTTPCacheCorpus.tests.filter { $0.kind == kind }
            let failures = failed.filter { failure in all.contains { $0.id == failure.key } }
            let unexpected = Set(failures.keys).symmetricDifference(Self.failures[kind] ?? [])
            #expect(
                unexpected.isEmpty,
                "\(kind): \(all.count - failures.count) of \(all.count); \(unexpected.sorted().map { "\($0): \(failures[$0] ?? [])" }.joined(separator: "\n"))"
            )
        }
    }

    /// The failures by the test's name, of those that are not passed.
    private static func run(
        _ tests: [HTTPCacheCorpus.Test], _ driver: HTTPCacheDriver
    ) async throws -> [String: [String]] {
        try await withThrowingTaskGroup(of: (String, [String]).self) { group in
            var waiting = tests[...]
            var failed: [String: [String]] = [:]
            for _ in 0..<8 {
                guard let test = waiting.popFirst() else { break }
                group.addTask { (test.id, try await driver.run(test)) }
            }
            while let (id, failures) = try await group.next() {
                if !failures.isEmpty { failed[id] = failures }
                guard let test = waiting.popFirst() else { continue }
                group.addTask { (test.id, try await driver.run(test)) }
            }
            return failed
        }
    }
}
