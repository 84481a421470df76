/// The references and the cost that style elements add to elements. A rule is applied to too many elements rather than
/// too few: only one class, id or type of the last part of its selector is checked.
struct SVGStyleSheet {
    private enum Selector: Hashable {
        case any
        case type(String)
        case id(String)
        case `class`(String)
    }

    private var styles: [Selector: SVGStyle] = [:]

    /// The total number of references.
    private(set) var referenceCount = 0

    /// Whether an entity or an escape may hide a reference.
    private(set) var hidesReferences = false

    /// Whether a selector asks for a language with a part of one letter, such as `:lang(x-a)`, or may be nested too deep.
    /// librsvg 2.54 ends the program then.
    private(set) var isImpossible = false

    /// Pseudo-classes that take selectors, which librsvg parses by recursion.
    private static let nesting = ["not(", "is(", "where(", "has(", "matches(", "any("]
    /// Of all of them in a style element: their depth would take a parser that knows all strings.
    private static let maximumNestingCount = 200

    /// Adds the content of a style element.
    mutating func add(_ text: String) {
        hidesReferences =
            hidesReferences || SVGStyle.hasDoubtfulComments(text) || Self.hasEntities(text) || Self.importsData(text)
        let text = SVGStyle.withoutComments(text)
        let lowercase = text.lowercased()
        let count = Self.nesting.reduce(0) {
            $0 + lowercase.split(separator: $1, omittingEmptySubsequences: false).count - 1
        }
        isImpossible = isImpossible || count > Self.maximumNestingCount
        // Blocks may be nested: the last brace before a declaration opens its rule.
        for block in text.split(separator: "}", omittingEmptySubsequences: true) {
            var style = SVGStyle()
            guard let brace = block.lastIndex(of: "{") else {
                style.add(String(block))
                add(style, for: [.any])
                continue
            }
            style.add(String(block[block.index(after: brace)...]))
            let selectors = block[..<brace].split(separator: "{").last ?? ""
            isImpossible = isImpossible || Self.asksForPrivateLanguage(selectors)
            add(style, for: selectors.split(separator: ",").map(Self.selector))
        }
        // Addresses of other files often contain the harmless entity `&amp;`.
        hidesReferences =
            hidesReferences || text.contains("(") && text.replacing("&amp;", with: "").contains("&")
    }

    /// Whether there are entities other than XML's predefined ones.
    private static func hasEntities(_ text: String) -> Bool {
        text.split(separator: "&", omittingEmptySubsequences: false).dropFirst().contains { part in
            let name = part.prefix { !$0.isWhitespace && !";='\"(){}/,".contains($0) }
            guard !name.isEmpty, part.dropFirst(name.count).first == ";" else { return false }
            return !SVGStyle.isCharacter(name)
        }
    }

    /// Whether rules are imported from a `data:` URL, or from an address that cannot be determined.
    private static func importsData(_ text: String) -> Bool {
        guard text.contains("@") else { return false }
        let text = SVGStyle.withCharacters(text)
        return text.split(separator: "@", omittingEmptySubsequences: false).dropFirst().contains { rule in
            let name = rule.prefix { $0.isLetter || $0.isNumber || "-_\\".contains($0) }
            guard !name.contains("\\") else { return true }
            guard name.lowercased() == "import" else { return false }
            if case .elsewhere = SVGAddress(address(rule.dropFirst(name.count)).utf8) { return false }
            return true
        }
    }

    /// The text after the rule's name, from the address on.
    private static func address(_ text: Substring) -> Substring {
        var text = text.drop { $0.isWhitespace }
        while text.hasPrefix("/*"), let end = text.firstRange(of: "*/") {
            text = text[end.upperBound...].drop { $0.isWhitespace }
        }
        if text.prefix(4).lowercased() == "url(" { text = text.dropFirst(4).drop { $0.isWhitespace } }
        return text.drop { "'\"".contains($0) }
    }

    /// The declarations of all rules that may match an element.
    func style(for tag: SVGTag) -> SVGStyle {
        var result = SVGStyle()
        guard !styles.isEmpty else { return result }
        let selectors =
            [.any, .type(tag.name)] + tag.classes.map(Selector.class) + (tag.id.map { [.id($0)] } ?? [])
        for selector in selectors {
            if let style = styles[selector] { result.add(style) }
        }
        return result
    }

    private mutating func add(_ style: SVGStyle, for selectors: [Selector]) {
        hidesReferences = hidesReferences || style.hidesReferences
        guard
            style.referenceCount > 0 || style.effectCount > 0 || !style.geometry.isEmpty || !style.fontSize.isPlain
        else { return }
        referenceCount += style.referenceCount * selectors.count
        for selector in selectors { styles[selector, default: SVGStyle()].add(style) }
    }

    private static func asksForPrivateLanguage(_ selectors: Substring) -> Bool {
        let parts = selectors.lowercased().split(separator: "(").dropFirst()
        guard !parts.isEmpty else { return false }
        // An escape may be a part of the name or the language.
        return selectors.contains("\\")
            || selectors.lowercased().contains("lang(")
                && parts.contains { part in
                    part.split { ",)-'\"".contains($0) || $0.isWhitespace }.contains { $0.count == 1 && $0 != "*" }
                }
    }

    private static func selector(_ text: Substring) -> Selector {
        let last = text.split { $0.isWhitespace || ">+~".contains($0) }.last ?? ""
        // Escapes and other kinds of selectors match every element.
        guard !last.contains(where: { "\\:[]()".contains($0) }) else { return .any }
        if let dot = last.lastIndex(of: ".") {
            let name = last[last.index(after: dot)...]
            return name.contains("#") ? .any : .class(String(name))
        }
        if let mark = last.lastIndex(of: "#") { return .id(SVGStyle.id(last[last.index(after: mark)...])) }
        guard let first = last.first, first.isLetter else { return .any }
        return .type(String(last.split(separator: "|").last ?? last))
    }
}
