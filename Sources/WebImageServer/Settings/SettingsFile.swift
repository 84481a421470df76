/// The lines of a file of settings: `name = value`, a part of TOML. Values may be in quotes; a list is in brackets, or a name
/// that comes several times. A line that begins with `#` is a comment.
struct SettingsFile {
    struct Line: Equatable {
        let number: Int
        let name: String
        let values: [String]
    }

    let lines: [Line]

    init(_ text: String) throws(PictureServerError) {
        var lines: [Line] = []
        /// A list that has not come to its end.
        var open: (number: Int, text: String)?
        for (index, text) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let text = text.trimmed
            guard !text.isEmpty, !text.hasPrefix("#") else { continue }
            let whole = (number: open?.number ?? index + 1, text: (open.map { $0.text + " " } ?? "") + text)
            open = Self.isOpenList(whole.text) ? whole : nil
            if open == nil { lines.append(try Self.line(whole.number, whole.text)) }
        }
        if let open { throw PictureServerError("line \(open.number): the list has no ] at its end") }
        self.lines = lines
    }

    private static func isOpenList(_ text: String) -> Bool {
        guard let sign = text.firstIndex(of: "=") else { return false }
        return text[text.index(after: sign)...].trimmed.hasPrefix("[") && !text.hasSuffix("]")
    }

    private static func line(_ number: Int, _ text: String) throws(PictureServerError) -> Line {
        guard let sign = text.firstIndex(of: "="), let values = values(text[text.index(after: sign)...].trimmed) else {
            throw PictureServerError("line \(number): write NAME = VALUE, in place of \(text)")
        }
        return Line(number: number, name: text[..<sign].trimmed.replacing("_", with: "-"), values: values)
    }

    /// nil for text that is none.
    private static func values(_ text: String) -> [String]? {
        guard text.hasPrefix("[") else { return value(text).map { [$0] } }
        guard text.hasSuffix("]") else { return nil }
        var rest = text.dropFirst().dropLast()[...]
        var values: [String] = []
        while true {
            rest = rest.drop(while: \.isWhitespace)
            guard let first = rest.first else { return values }
            let end: Substring.Index?
            if first == "\"" || first == "'" {
                end = rest.dropFirst().firstIndex(of: first).map { rest.index(after: $0) }
            } else {
                end = rest.firstIndex(of: ",") ?? rest.endIndex
            }
            guard let end, let value = value(rest[..<end].trimmed) else { return nil }
            values.append(value)
            rest = rest[end...].drop(while: \.isWhitespace)
            if rest.isEmpty { return values }
            guard rest.popFirst() == "," else { return nil }
        }
    }

    private static func value(_ text: String) -> String? {
        guard let mark = text.first, mark == "\"" || mark == "'" else {
            // A comment behind a value that has no quotes.
            return text.firstRange(of: " #").map { text[..<$0.lowerBound].trimmed } ?? text
        }
        let inner = text.dropFirst()
        guard let end = inner.firstIndex(of: mark) else { return nil }
        let rest = inner[inner.index(after: end)...].trimmed
        return rest.isEmpty || rest.hasPrefix("#") ? String(inner[..<end]) : nil
    }
}
