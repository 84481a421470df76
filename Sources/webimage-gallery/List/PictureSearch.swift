import CGtk4

/// A person's search in names.
nonisolated struct PictureSearch: Equatable, Sendable {
    private let words: [FoldedText]

    /// - Parameter text: Words, all of which must be in a name, anywhere and in any case.
    init(_ text: String = "") {
        words = text.split(whereSeparator: \.isWhitespace).map { FoldedText(String($0)) }
    }

    var isEmpty: Bool { words.isEmpty }

    func matches(_ name: FoldedText) -> Bool { words.allSatisfy(name.contains) }
}

/// A text without the differences of case, and with accents as parts of their letters: some file systems take them apart.
nonisolated struct FoldedText: Equatable, Sendable {
    private let bytes: [UInt8]

    init(_ text: String) {
        let folded = String(taking: g_utf8_casefold(text, -1)) ?? text
        bytes = Array((String(taking: g_utf8_normalize(folded, -1, G_NORMALIZE_ALL_COMPOSE)) ?? folded).utf8)
    }

    func contains(_ word: FoldedText) -> Bool {
        let (text, word) = (bytes, word.bytes)
        guard let first = word.first, text.count >= word.count else { return word.isEmpty }
        return (0...(text.count - word.count)).contains { start in
            text[start] == first && text[start..<(start + word.count)].elementsEqual(word)
        }
    }
}
