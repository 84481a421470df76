/// What the style elements of a document make its elements refer to and cost. Rules count for more elements than they
/// match rather than for fewer: of a selector only one class, id or type of its last part is looked at.
struct SVGStyleSheet {
    private enum Selector: Hashable {
        case any
        case type(String)
        case id(String)
        case `class`(String)
    }

    private var styles: [Selector: SVGStyle] = [:]

    /// How many references there are in all.
    private(set) var referenceCount = 0

    /// Whether an entity or an escape may hide a reference.
    private(set) var hidesReferences = false

    /// Adds the content of a style element.
    mutating func add(_ text: String) {
        let text = SVGStyle.withoutComments(text)
        // Blocks may stand in blocks: the last brace before a declaration opens its rule.
        for block in text.split(separator: "}", omittingEmptySubsequences: true) {
            var style = SVGStyle()
            guard let brace = block.lastIndex(of: "{") else {
                style.add(String(block))
                add(style, for: [.any])
                continue
            }
            style.add(String(block[block.index(after: brace)...]))
            let selectors = block[..<brace].split(separator: "{").last ?? ""
            add(style, for: selectors.split(separator: ",").map(Self.selector))
        }
        hidesReferences = hidesReferences || text.contains("(") && text.contains("&")
    }

    /// What the rules for an element say.
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
        guard style.referenceCount > 0 || style.effectCount > 0 else { return }
        referenceCount += style.referenceCount * selectors.count
        for selector in selectors { styles[selector, default: SVGStyle()].add(style) }
    }

    private static func selector(_ text: Substring) -> Selector {
        let last = text.split { $0.isWhitespace || ">+~".contains($0) }.last ?? ""
        // What is escaped or of another kind matches anything.
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
