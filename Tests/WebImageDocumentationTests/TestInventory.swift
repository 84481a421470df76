import Foundation

/// The names of this package's tests, read from their sources, including XCTest's, which run in another target.
struct TestInventory {
    struct Test {
        /// The display name, or an XCTest function's name.
        let name: String
        /// The rows that it claims to prove.
        let rows: [String]
        let file: String
        /// Whether it runs only where the corpus lies beside the repository.
        fileprivate(set) var needsCorpus = false
    }

    private(set) var tests: [Test] = []
    private let carriers: [String: [Test]]

    init(folder: URL) throws {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? []
        for case let file as URL in files where file.pathExtension == "swift" {
            tests += Self.tests(in: try String(contentsOf: file, encoding: .utf8), file: file.lastPathComponent)
        }
        carriers = Dictionary(grouping: tests.flatMap { test in test.rows.map { ($0, test) } }, by: \.0)
            .mapValues { $0.map(\.1) }
    }

    /// The tests that carry the row number `row`.
    func carrying(_ row: String) -> [Test] { carriers[row] ?? [] }

    /// Whether a test with the number `row` runs on every machine.
    func provesEverywhere(_ row: String) -> Bool { carrying(row).contains { !$0.needsCorpus } }

    /// Whether a test's name begins with `beginning`.
    func has(_ beginning: String) -> Bool { tests.contains { $0.name.hasPrefix(beginning) } }

    private static func tests(in source: String, file: String) -> [Test] {
        var tests: [Test] = []
        // A function's name cannot contain a row number, so the comment above it does.
        var comment: Substring?
        var suiteNeedsCorpus = false
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }
        for (line, next) in zip(lines, lines.dropFirst()) {
            if line.hasPrefix("///") {
                comment = comment ?? line.drop { "/ ".contains($0) }
                continue
            }
            if line.hasPrefix("@Suite") {
                suiteNeedsCorpus = line.contains(".needsCorpus")
            } else if line.contains(".needsCorpus"), !line.hasPrefix("@Test"), let last = tests.indices.last {
                tests[last].needsCorpus = true
            }
            if line.hasPrefix("@Test("), let name = literal(line == "@Test(" ? next : line.dropFirst(6)) {
                tests.append(
                    Test(
                        name: name, rows: ParityRows.leading(name[...]), file: file,
                        needsCorpus: suiteNeedsCorpus || line.contains(".needsCorpus")))
            } else if line.hasPrefix("func test") {
                let name = line.dropFirst(5).prefix { $0 != "(" }
                tests.append(Test(name: String(name), rows: comment.map(ParityRows.leading) ?? [], file: file))
            }
            comment = nil
        }
        return tests
    }

    /// The string literal at the beginning of `code`; nil without one.
    private static func literal(_ code: Substring) -> String? {
        guard let match = code.prefixMatch(of: /"((?:[^"\\]|\\.)*)"/) else { return nil }
        return String(match.output.1).replacing("\\\"", with: "\"")
    }
}
