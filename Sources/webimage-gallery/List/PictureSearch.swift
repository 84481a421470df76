import CGtk4

/// What a person looks for in names.
nonisolated struct PictureSearch: Equatable, Sendable {
    private let words: [[UInt8]]

    /// - Parameter text: Words, all of which must be in a name, anywhere and in any case.
    init(_ text: String = "") {
        words = text.split(whereSeparator: \.isWhitespace).map { Self.folded(String($0)) }
    }

    var isEmpty: Bool { words.isEmpty }

    func matches(_ name: String) -> Bool {
        guard !isEmpty else { return true }
        let name = Self.folded(name)
        return words.allSatisfy { Self.contains(name, $0) }
    }

    /// Without the differences of case, and with accents as parts of their letters: some file systems take them apart.
    private static func folded(_ text: String) -> [UInt8] {
        let folded = taking(g_utf8_casefold(text, -1)) ?? text
        return Array((taking(g_utf8_normalize(folded, -1, G_NORMALIZE_ALL_COMPOSE)) ?? folded).utf8)
    }

    private static func contains(_ text: [UInt8], _ word: [UInt8]) -> Bool {
        guard let first = word.first, text.count >= word.count else { return word.isEmpty }
        return (0...(text.count - word.count)).contains { start in
            text[start] == first && text[start..<(start + word.count)].elementsEqual(word)
        }
    }
}
