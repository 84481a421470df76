import Foundation
import Testing

/// Keeps `Docs/Parity.md` and the tests consistent.
@Suite("Parity")
struct ParityTests {
    private let table: ParityTable
    private let inventory: TestInventory

    /// All files of tests are read once.
    private static let read = Result { () throws -> (ParityTable, TestInventory) in
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let page = try String(contentsOf: root.appending(path: "Docs/Parity.md"), encoding: .utf8)
        return (ParityTable(page), try TestInventory(folder: root.appending(path: "Tests")))
    }

    init() throws { (table, inventory) = try Self.read.get() }

    @Test("every row of the page can be read, and has one of the states")
    func states() {
        for mistake in table.mistakes { Issue.record("\(mistake)") }
    }

    @Test("every behaviour stands in the page once")
    func complete() {
        let places = Dictionary(grouping: table.rows.flatMap(\.numbers)) { $0 }
        for row in ParityRows.all {
            let count = places[row]?.count ?? 0
            #expect(
                count == 1,
                "\(row) stands in Docs/Parity.md \(count) times; write it into the table of its station, once")
        }
    }

    @Test("every test that a row claims exists")
    func claims() {
        for row in table.rows {
            guard let proof = row.state.proof else { continue }
            for number in proof.isOwn ? row.numbers : proof.rows where inventory.carrying(number).isEmpty {
                Issue.record(
                    """
                    Docs/Parity.md says that a test proves \(row.numbers[0]), but none carries \(number): begin a test's \
                    name with it, or point at another test by `test A25` or `test "the beginning of its name"`
                    """)
            }
            for name in proof.names where !inventory.has(name) {
                Issue.record(
                    """
                    Docs/Parity.md says that the test "\(name)…" proves \(row.numbers[0]), but there is none of that \
                    name: write how it begins now
                    """)
            }
        }
    }

    @Test("no row is proved by tests alone that need the corpus: most machines have none")
    func everywhere() {
        for row in table.rows {
            guard let proof = row.state.proof else { continue }
            for number in proof.isOwn ? row.numbers : proof.rows
            where !inventory.carrying(number).isEmpty && !inventory.provesEverywhere(number) {
                Issue.record(
                    "all tests that carry \(number) need the corpus: write one with a file of the project's own")
            }
        }
    }

    @Test("every row with a test says so")
    func proofs() {
        for row in table.rows where row.state.proof == nil {
            for number in row.numbers {
                for test in inventory.carrying(number) {
                    Issue.record(
                        """
                        "\(test.name)" in \(test.file) proves \(number), which is "\(row.state.kind.rawValue)" in \
                        Docs/Parity.md: write `test` there, `in part: what is missing; test` or `differs: how; test`
                        """)
                }
            }
        }
    }

    @Test("every number that a test carries is that of a behaviour")
    func numbers() {
        let count = inventory.tests.count
        #expect(count > 500)
        for test in inventory.tests {
            for row in test.rows where !ParityRows.contains(row) {
                Issue.record(
                    "\"\(test.name)\" in \(test.file) carries \(row), and there is no such row: look it up in Docs/Parity.md"
                )
            }
        }
    }
}
