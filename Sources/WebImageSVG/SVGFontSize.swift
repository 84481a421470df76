/// The font sizes that the attributes and styles of an element declare, as upper bounds.
///
/// librsvg 2.54 ends the program where a line of text is higher than 2²¹ pixels, even where the drawing is reduced.
struct SVGFontSize {
    /// In pixels.
    private(set) var pixels = 0.0
    /// As a factor of the size that the element inherits, at least 1.
    private(set) var factor = 1.0
    /// Whether an entity or an escape may hide a size.
    private(set) var isHidden = false
    /// Whether several entities stand one after the other, which may be parts of one declaration.
    private(set) var joinsEntities = false

    private static let properties: Set = ["font-size", "font"]
    private static let units: Set = ["", "px", "in", "cm", "mm", "pt", "pc"]
    /// Larger than the ratio of CSS's steps.
    private static let step = 1.5

    var isPlain: Bool { pixels == 0 && factor == 1 && !isHidden && !joinsEntities }

    /// Reads the presentation attribute.
    mutating func readAttribute(_ value: String) {
        isHidden = isHidden || value.contains("&")
        read(value)
    }

    /// Reads the declarations of a style attribute, a rule, or an entity.
    mutating func readStyle(_ text: String) {
        // In a CDATA section these are no entities.
        SVGStyle.declarations(text).forEach { readDeclaration($0) }
        guard text.contains("&") else { return }
        let resolved = SVGStyle.withCharacters(text)
        SVGStyle.declarations(resolved).forEach { readDeclaration($0) }
        let parts = resolved.split(separator: "&", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return }
        // Styles of old writers are entities and nothing else.
        isHidden = isHidden || !parts[0].allSatisfy(\.isWhitespace) || !parts.dropFirst().allSatisfy(Self.isName)
        joinsEntities = joinsEntities || parts.count > 2
    }

    /// Whether it is the name of an entity with its semicolon.
    private static func isName(_ part: Substring) -> Bool {
        part.firstIndex(of: ";").map { part[$0...].dropFirst().allSatisfy(\.isWhitespace) } ?? false
    }

    private mutating func readDeclaration(_ declaration: String) {
        guard let colon = declaration.firstIndex(of: ":") else { return }
        let (property, value) = (declaration[..<colon], declaration[colon...].dropFirst())
        let name = SVGStyle.id(property).lowercased()
        isHidden = isHidden || name.contains("\\")
        guard Self.properties.contains(name) else { return }
        isHidden = isHidden || name == "font-size" && value.contains("\\")
        read(value)
    }

    /// Numbers without a unit in the shorthand `font` are weights, which are smaller than any limit.
    private mutating func read(_ value: some StringProtocol) {
        for word in value.split(whereSeparator: { $0.isWhitespace || "/!,".contains($0) }) {
            let bytes = Array(word.utf8)
            var numbers = SVGNumbers(bytes[...])
            guard let number = numbers.next() else {
                if word.lowercased() == "larger" { factor = max(factor, Self.step) }
                continue
            }
            let size = number.isNaN ? .infinity : abs(number)
            switch SVGStyle.text(numbers.rest).lowercased() {
            case "%": factor = max(factor, size / 100)
            case "em", "ex", "ch": factor = max(factor, size)
            case let unit where Self.units.contains(unit): pixels = max(pixels, SVGLength(bytes).pixels)
            // librsvg ignores a declaration with another unit.
            default: break
            }
        }
    }

    mutating func hide() { isHidden = true }

    mutating func add(_ other: SVGFontSize) {
        pixels = max(pixels, other.pixels)
        factor = max(factor, other.factor)
        isHidden = isHidden || other.isHidden
        joinsEntities = joinsEntities || other.joinsEntities
    }

    func resolved(inheriting size: Double) -> Double { isHidden ? .infinity : max(size, pixels, size * factor) }
}
