/// The letters of a document's texts, counted in the runs that librsvg lays out one by one.
///
/// Pango breaks no line of such a run, so that its time grows by the third power: 5,000 letters without a tag between them
/// take half a second, and 20,000 more than half a minute.
struct SVGLetters {
    /// A letter is a path.
    private static let lettersPerElement = 10.0
    /// A run of this many letters takes as long as one more element, and twice as many take eight times as long.
    private static let lettersPerCube = 250.0

    /// The letters since the last tag.
    private var run = 0.0
    /// The lines of the run, at most: Pango breaks them at three characters alone.
    private(set) var lineCount = 1.0
    /// The largest number of letters that an entity stands for.
    private var entityLength = 0.0

    /// Adds characters between tags, those of comments excluded.
    mutating func add(_ characters: some Collection<UInt8>) {
        // One of the bytes of a character in UTF-8 is no continuation.
        run += Double(characters.count { $0 & 0xc0 != 0x80 })
        lineCount += Double(Self.separatorCount(in: characters))
        // An entity, or a reference to a character.
        let references = Double(characters.count { $0 == UInt8(ascii: "&") })
        run += references.times(entityLength)
        lineCount += references.times(1 + entityLength)
    }

    /// NEXT LINE, LINE SEPARATOR and PARAGRAPH SEPARATOR; XML makes spaces of others.
    private static let separators: Set<Unicode.Scalar> = ["\u{85}", "\u{2028}", "\u{2029}"]

    private static func separatorCount(in characters: some Collection<UInt8>) -> Int {
        let otherCount = characters.count { $0 >= 0x80 }
        guard otherCount > 0 else { return 0 }
        // In other encodings any byte may be of a separator.
        guard let text = String(validating: characters, as: UTF8.self) else { return otherCount }
        return text.unicodeScalars.count { separators.contains($0) }
    }

    mutating func addEntity(_ declaration: some Collection<UInt8>) {
        let isNested = declaration.contains(UInt8(ascii: "&"))
        entityLength = isNested ? .infinity : max(entityLength, Double(declaration.count))
    }

    /// Ends the run at a tag.
    ///
    /// - Returns: The number of elements that take as long as the run, which is in an element named `name`.
    mutating func end(in name: String?) -> Double {
        defer { (run, lineCount) = (0, 1) }
        guard let name, name == "a" || SVGTextSize.texts.contains(name) else { return 0 }
        let cube = run / Self.lettersPerCube
        return run / Self.lettersPerElement + cube * cube * cube
    }
}
