import FoundationEssentials
import WebImageCore

extension URL {
    /// The URL that pages and servers mean by a text, as browsers read it (WHATWG URL Standard §4.4).
    ///
    /// Valid escapes stay as they are, and every other character that a URL may not contain is escaped. `URL(string:)`
    /// escapes all of a component where one character of it is invalid: of `a%20b c.png` it makes `a%2520b%20c.png`.
    ///
    /// - Parameter base: What a relative text is resolved against.
    /// - Returns: nil for a text that is no URL.
    package init?(webAddress text: String, relativeTo base: URL? = nil) {
        // Of megabytes, no copies are made.
        if text.hasScheme("data"), let url = URL(string: text, encodingInvalidCharacters: false) {
            self = url
            return
        }
        guard let address = WebAddressText(text, relativeTo: base?.scheme).encoded else { return nil }
        guard let url = URL(string: address, relativeTo: base) else { return nil }
        self = url.absoluteURL
    }
}

/// An address as it is written, divided into its components.
private struct WebAddressText {
    private var scheme: ArraySlice<UInt8>?
    private var authority: ArraySlice<UInt8>?
    private var path: ArraySlice<UInt8>
    private var query: ArraySlice<UInt8>?
    private var fragment: ArraySlice<UInt8>?

    /// Those with a host, in which a backslash is a slash.
    private static let hierarchical: Set = ["http", "https", "ws", "wss", "ftp", "file"]

    init(_ text: String, relativeTo base: String?) {
        // A text that was wrapped into lines has line breaks in its addresses, too.
        var rest = Self.trimmed(Array(text.utf8)[...]).filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }[...]
        scheme = Self.scheme(of: rest)
        if let scheme { rest = rest.dropFirst(scheme.count + 1) }
        fragment = Self.cut(&rest, at: UInt8(ascii: "#"))
        query = Self.cut(&rest, at: UInt8(ascii: "?"))
        let kind = scheme.map { String(decoding: $0, as: UTF8.self) } ?? base ?? ""
        if Self.hierarchical.contains(kind.lowercased()) {
            rest = rest.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }[...]
        }
        if rest.starts(with: "//".utf8) {
            let end = rest.dropFirst(2).firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = rest.dropFirst(2).prefix(upTo: end)
            rest = rest[end...]
        }
        path = Self.hierarchical.contains(kind.lowercased()) ? Self.withoutDots(rest) : rest
    }

    /// Leaves out what segments of one or two dots, escaped or not, lead back from. Those of a relative path stay, plain.
    private static func withoutDots(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard path.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") }) else { return path }
        let isAbsolute = path.first == UInt8(ascii: "/")
        let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var kept: [ArraySlice<UInt8>] = []
        for (index, segment) in segments.enumerated() {
            let dots = plainDots(of: segment)
            guard isAbsolute, let dots else {
                kept.append(dots.map { Array($0.utf8)[...] } ?? segment)
                continue
            }
            if dots == "..", kept.count > 1 { kept.removeLast() }
            if index == segments.count - 1 { kept.append([]) }
        }
        return Array(kept.joined(separator: "/".utf8))[...]
    }

    /// nil for any other segment.
    private static func plainDots(of segment: ArraySlice<UInt8>) -> String? {
        guard segment.count <= 6 else { return nil }
        let text = String(decoding: segment, as: UTF8.self).lowercased().replacing("%2e", with: ".")
        return text == "." || text == ".." ? text : nil
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text.drop { $0 <= 0x20 }
        while let last = text.last, last <= 0x20 { text.removeLast() }
        return text
    }

    /// A letter, then letters, digits, `+`, `-` and `.`, before a colon.
    private static func scheme(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), let first = text.first, isLetter(first) else {
            return nil
        }
        let scheme = text[..<colon]
        return scheme.allSatisfy { isLetter($0) || "0123456789+-.".utf8.contains($0) } ? scheme : nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// Takes away and returns what follows `mark`.
    private static func cut(_ text: inout ArraySlice<UInt8>, at mark: UInt8) -> ArraySlice<UInt8>? {
        guard let index = text.firstIndex(of: mark) else { return nil }
        defer { text = text[..<index] }
        return text[(index + 1)...]
    }

    /// In the characters that RFC 3986 allows; nil where a host has others.
    var encoded: String? {
        var result: [UInt8] = []
        if let scheme { result += scheme + [UInt8(ascii: ":")] }
        if let authority {
            guard let encoded = Self.encoded(authority: authority) else { return nil }
            result += "//".utf8 + encoded
        }
        let path = PercentEncoding.encode(path, keeping: "/:@".utf8)
        // Without this, what precedes the colon would be a scheme.
        let isRelative = scheme == nil && authority == nil
        if isRelative, path.prefix(while: { $0 != UInt8(ascii: "/") }).contains(UInt8(ascii: ":")) {
            result += "./".utf8
        }
        result += path
        if let query { result += "?".utf8 + PercentEncoding.encode(query, keeping: "/:@?".utf8) }
        if let fragment { result += "#".utf8 + PercentEncoding.encode(fragment, keeping: "/:@?".utf8) }
        return String(decoding: result, as: UTF8.self)
    }

    /// The last `@` ends the name and the password: others belong to them.
    private static func encoded(authority: ArraySlice<UInt8>) -> [UInt8]? {
        let at = authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? authority.startIndex
        let (user, host) = (authority[..<at], authority[at...])
        guard !host.contains(where: { $0 <= 0x20 || forbiddenInHosts.contains($0) }),
            host.withUnsafeBytes(PercentEncoding.decode) != nil
        else { return nil }
        return PercentEncoding.encode(user.dropLast(), keeping: ":".utf8) + user.suffix(1) + host
    }

    /// Beside those that end it, and brackets, which enclose numbers.
    private static let forbiddenInHosts = Array("<>\\^|`{}\"".utf8)
}
