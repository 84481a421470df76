import Foundation

/// The rows of `Docs/Parity.md`.
struct ParityTable {
    struct Row {
        let numbers: [String]
        let state: ParityState
    }

    private static let header = "| row | behaviour | here | state |"

    private(set) var rows: [Row] = []
    /// Lines that could not be parsed, with their numbers.
    private(set) var mistakes: [String] = []

    init(_ text: String) {
        var isInTable = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            isInTable = line == Self.header || (isInTable && line.hasPrefix("|"))
            guard isInTable, line != Self.header, !line.hasPrefix("|---") else { continue }
            do {
                rows.append(try Self.row(line))
            } catch {
                mistakes.append("Docs/Parity.md:\(index + 1): \(error)")
            }
        }
    }

    private static func row(_ line: Substring) throws(ParityState.Mistake) -> Row {
        let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard cells.count == 6, cells.first == "", cells.last == "" else {
            throw ParityState.Mistake(description: "a row has four cells: \(header)")
        }
        let numbers = cells[1].split(separator: ", ").map(String.init)
        if let unknown = numbers.first(where: { !ParityRows.contains($0) }) ?? (numbers.isEmpty ? "" : nil) {
            throw ParityState.Mistake(description: "there is no behaviour \"\(unknown)\"; ParityRows lists the numbers")
        }
        return Row(numbers: numbers, state: try ParityState(cells[4]))
    }
}
