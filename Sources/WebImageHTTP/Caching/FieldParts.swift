extension Substring.UTF8View {
    /// Takes the text up to the next `separator` outside of quotation marks, without surrounding blanks; nil at the end.
    mutating func takePart(before separator: UInt8) -> Substring.UTF8View? {
        guard !isEmpty else { return nil }
        var (isQuoted, isEscaped) = (false, false)
        let end = firstIndex { byte in
            defer { isEscaped = isQuoted && !isEscaped && byte == UInt8(ascii: "\\") }
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            return byte == separator && !isQuoted
        }
        let part = self[..<(end ?? endIndex)]
        self = end.map { self[index(after: $0)...] } ?? self[endIndex...]
        return part.trimmingBlanks
    }

    /// The text without the quotation marks around it.
    var unquoted: Substring.UTF8View {
        let quote = UInt8(ascii: "\"")
        guard count >= 2, first == quote, last == quote else { return self }
        return dropFirst().dropLast()
    }
}
