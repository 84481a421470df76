import Foundation
import Testing

@Suite("Parity: how the page is read")
struct ParityTableTests {
    private static func mistakes(_ row: String) -> [String] {
        ParityTable("| row | behaviour | here | state |\n|---|---|---|---|\n\(row)\n").mistakes
    }

    @Test(
        "an unreliable line is refused, and the error names its position",
        arguments: [
            ("| DL-99 | a | b | test |", "no behaviour \"DL-99\""),
            ("| DL-1 DL-2 | a | b | test |", "no behaviour \"DL-1 DL-2\""),
            ("| | a | b | test |", "no behaviour \"\""),
            ("| DL-1 | a | test |", "four cells"),
            ("| DL-1 | a | b | tested |", "no state"),
            ("| DL-1 | a | b | differs |", "no state"),
            ("| DL-1 | a | b | not yet: later |", "must name one station"),
            ("| DL-1 | a | b | not yet: coders; test |", "must name one station"),
            ("| DL-1 | a | b | not here: no need; test |", "has no test"),
            ("| DL-1 | a | b | in part: nothing |", "without a test"),
            ("| DL-1 | a | b | test here |", "names no test"),
            ("| DL-1 | a | b | test \"a\" \"b\" |", "names no test"),
        ])
    func mistakes(row: String, expected: String) {
        let mistakes = Self.mistakes(row)
        #expect(mistakes.count == 1)
        #expect(mistakes.first?.hasPrefix("Docs/Parity.md:3: ") == true)
        #expect(mistakes.first?.contains(expected) == true, "\(mistakes)")
    }

    @Test("a state has a detail and points at tests by number and by name")
    func states() throws {
        let state = try ParityState("differs: one thread; two; test A25, \"a name, with a comma\", THB-1")
        #expect(state.kind == .differs)
        #expect(state.detail == "one thread; two")
        #expect(state.proof?.rows == ["A25", "THB-1"])
        #expect(state.proof?.names == ["a name, with a comma"])
        #expect(try ParityState("test").proof?.isOwn == true)
        #expect(try ParityState("differs: so").proof == nil)
    }

    @Test(
        "a test carries the numbers that its name begins with",
        arguments: [
            ("S0-16 a picture", ["S0-16"]), ("A1 A2 T4.15 a query", ["A1", "A2"]),
            ("S0-14, S3-30: the end", ["S0-14", "S3-30"]),
            ("a picture of DL-1", []), ("UTF-8 is text", []), ("A75b an orientation", ["A75b"]),
            ("DL-99 a typing error", ["DL-99"]),
        ])
    func numbers(name: String, expected: [String]) {
        #expect(ParityRows.leading(name[...]) == expected)
    }
}
