/// The letters of a document's texts, counted in the runs that librsvg lays out one by one.
///
/// Pango breaks no line of such a run: 10,000 letters without a tag between them take more than a hundred times as long
/// as 2,000.
struct SVGLetters {
    /// Elements whose characters are drawn.
    private static let texts: Set = ["text", "tspan", "textPath", "tref", "a"]
    /// A letter is a path.
    private static let lettersPerElement = 10.0
    /// A run of this many letters takes as long as one more element, and twice as many take eight times as long.
    private static let lettersPerCube = 250.0

    /// The letters since the last tag.
    private var run = 0.0
    /// The largest number of letters that an entity stands for.
    private var entityLength = 0.0

    /// Adds characters between tags, those of comments excluded.
    mutating func add(_ characters: some Collection<UInt8>) {
        // One of the bytes of a character in UTF-8 is no continuation.
        run += Double(characters.count { $0 & 0xc0 != 0x80 })
        guard entityLength > 0 else { return }
        run += Double(characters.count { $0 == UInt8(ascii: "&") }).times(entityLength)
    }

    mutating func addEntity(_ declaration: some Collection<UInt8>) {
        let isNested = declaration.contains(UInt8(ascii: "&"))
        entityLength = isNested ? .infinity : max(entityLength, Double(declaration.count))
    }

    /// Ends the run at a tag.
    ///
    /// - Returns: The number of elements that take as long as the run, which is in an element named `name`.
    mutating func end(in name: String?) -> Double {
        defer { run = 0 }
        guard let name, Self.texts.contains(name) else { return 0 }
        let cube = run / Self.lettersPerCube
        return run / Self.lettersPerElement + cube * cube * cube
    }
}
