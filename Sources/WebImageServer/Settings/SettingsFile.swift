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
        for (index, text) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let text = text.trimmed
            guard !text.isEmpty, !text.hasPrefix("#") else { continue }
            guard let sign = text.firstIndex(of: "="),
                let values = Self.values(text[text.index(after: sign)...].trimmed)
            else { throw PictureServerError("line \(index + 1): write NAME = VALUE, in place of \(text)") }
            let name = text[..<sign].trimmed.replacing("_", with: "-")
            lines.append(Line(number: index + 1, name: name, values: values))
        }
        self.lines = lines
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
