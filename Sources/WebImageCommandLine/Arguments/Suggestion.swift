/// The words that a mistyped one may stand for.
package struct Suggestion {
    private let candidates: [String]

    /// - Parameter words: All that could be meant.
    package init(for typed: String, among words: [String]) {
        let typed = typed.lowercased()
        let beginnings = typed.isEmpty ? [] : words.filter { $0.lowercased().hasPrefix(typed) }
        if (1...Self.most).contains(beginnings.count) {
            candidates = beginnings
            return
        }
        let distances = words.map { editDistance(typed, $0.lowercased()) }
        // A word of which more than a third is wrong is likely another one.
        let limit = typed.count < 2 ? 0 : max(1, typed.count / 3)
        let nearest = distances.min().flatMap { $0 <= limit ? $0 : nil }
        candidates = zip(words, distances).filter { $0.1 == nearest }.prefix(Self.most).map(\.0)
    }

    /// `did you mean a or b?`; nil without any.
    package var question: String? { candidates.isEmpty ? nil : "did you mean \(candidates.inWords("or"))?" }

    /// More would be a list to read.
    private static let most = 4
}

/// How many letters have to be inserted, removed, replaced, or exchanged with their neighbour to get from one word to the
/// other (optimal string alignment).
private func editDistance(_ first: String, _ second: String) -> Int {
    let (old, new) = (Array(first), Array(second))
    var rows = [Array(0...new.count)]
    for (row, letter) in old.enumerated() {
        var next = [row + 1]
        for (column, wanted) in new.enumerated() {
            let above = rows[row]
            var cost = min(above[column + 1] + 1, next[column] + 1, above[column] + (letter == wanted ? 0 : 1))
            if row > 0, column > 0, letter == new[column - 1], old[row - 1] == wanted {
                cost = min(cost, rows[row - 1][column - 1] + 1)
            }
            next.append(cost)
        }
        rows.append(next)
    }
    return rows[old.count][new.count]
}
