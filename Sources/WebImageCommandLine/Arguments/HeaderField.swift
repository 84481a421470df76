import WebImage

/// A header field of a request, as `Name: value`.
package struct HeaderField: Sendable, Equatable {
    package let name: String
    package let value: String

    /// nil for what HTTP does not take (RFC 9110 §5.1, §5.5).
    init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        name = String(text[..<colon])
        value = text[text.index(after: colon)...].trimmingSpaces
        guard name.isToken, !value.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            return nil
        }
    }
}

extension [HeaderField] {
    /// One field for each name, whatever its case; values of the same name are joined as RFC 9110 §5.3 and, for cookies,
    /// RFC 6265 §5.4 have it.
    package var byName: [String: String] {
        var names: [String: String] = [:]
        return reduce(into: [:]) { fields, field in
            let key = field.name.lowercased()
            let name = names[key] ?? field.name
            names[key] = name
            let separator = key == "cookie" ? "; " : ", "
            fields[name] = fields[name].map { "\($0)\(separator)\(field.value)" } ?? field.value
        }
    }
}

extension OptionValue where Value == HeaderField {
    /// A header field.
    package static var headerField: Self {
        Self(
            placeholder: "FIELD", expectation: "a name, a colon and a value, such as 'Referer: https://example.org/'",
            parse: HeaderField.init)
    }
}

extension StringProtocol {
    /// The text without spaces and tabs at its ends.
    package var trimmingSpaces: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let tail = drop(while: isSpace)
        return String(tail.prefix(upTo: tail.lastIndex { !isSpace($0) }.map(tail.index(after:)) ?? tail.startIndex))
    }
}
