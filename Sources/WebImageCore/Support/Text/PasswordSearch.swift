import Glibc

/// Finds the passwords of URLs in a text: `secret` in `https://ada:secret@host/a.jpg`.
package struct PasswordSearch {
    /// The kind of text.
    package enum Kind {
        /// A text in which URLs occur, such as a message. A URL that is none, because its password has a `/`, `?` or `#`
        /// that is not percent-encoded, counts as well.
        case prose
        /// An address as a person has written it: also `ada:secret@host/a.jpg`, without a scheme.
        case address
        /// A name, in which only what RFC 3986 §3.2.1 says is a password.
        case name
    }

    let text: UnsafeRawBufferPointer
    let kind: Kind

    /// The places of the passwords, in order. Digests of passwords (``PasswordDigest``) are none.
    var ranges: [Range<Int>] {
        // Nearly no text has an @: every key and every message is searched.
        guard let first = text.baseAddress, memchr(first, Int32(UInt8(ascii: "@")), text.count) != nil else {
            return []
        }
        var ranges: [Range<Int>] = []
        var position = 0
        while let start = authority(from: position) {
            let end = text[start...].firstIndex { $0.endsAuthority || isEnd($0) } ?? text.endIndex
            let range = password(in: start..<end)
            if let range { ranges.append(range) }
            position = max(end, range?.upperBound ?? end)
        }
        if kind == .address, ranges.isEmpty, let range = passwordWithoutAuthority { ranges.append(range) }
        return ranges.filter { !PasswordDigest.isDigest(text[$0]) }
    }

    /// The place of the next URL's authority: its user, host and port.
    private func authority(from position: Int) -> Int? {
        if kind == .address, position == 0, text.starts(with: "//".utf8) { return 2 }
        var rest = text[position...]
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            rest = rest[(colon + 1)...]
            // An address without a scheme that was taken for the path of a file.
            if rest.starts(with: "////".utf8) { return colon + 5 }
            if rest.starts(with: "//".utf8) { return colon + 3 }
            if kind != .name, isScheme(endingAt: colon) { return rest.firstIndex { !$0.isSlash } ?? text.endIndex }
        }
        return nil
    }

    /// Whether http or https stands before `colon`: a person may have left slashes out, or written others.
    private func isScheme(endingAt colon: Int) -> Bool {
        let letters = text[..<colon].reversed().prefix { $0.isLetter }.map { $0 | 0x20 }
        return letters.elementsEqual("ptth".utf8) || letters.elementsEqual("sptth".utf8)
    }

    private func password(in authority: Range<Int>) -> Range<Int>? {
        let colon = text[authority].firstIndex(of: UInt8(ascii: ":"))
        if let at = text[authority].lastIndex(of: UInt8(ascii: "@")) { return nonempty(after: colon, before: at) }
        // The text after the host is no port: this is a password that contains, or begins with, the end of an
        // authority.
        guard kind != .name, let colon, text[authority].first != UInt8(ascii: "[") else { return nil }
        let port = text[(colon + 1)..<authority.upperBound]
        guard port.isEmpty || !port.allSatisfy(\.isDigit) else { return nil }
        let end = text[colon...].firstIndex(where: isEnd) ?? text.endIndex
        return text[colon..<end].lastIndex(of: UInt8(ascii: "@")).flatMap { nonempty(after: colon, before: $0) }
    }

    /// `ada:secret@host`; not `data:…`, and not the mark of a scale in `asset:icon@2x.png`.
    private var passwordWithoutAuthority: Range<Int>? {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), !text[..<colon].contains(UInt8(ascii: "/")),
            !text[..<colon].elementsEqual("data".utf8, by: { $0 | 0x20 == $1 }),
            !text[(colon + 1)...].starts(with: "/".utf8)
        else { return nil }
        let at = text.indices.last { text[$0] == UInt8(ascii: "@") && !isScaleMark(at: $0) }
        return at.flatMap { nonempty(after: colon, before: $0) }
    }

    private func nonempty(after colon: Int?, before at: Int) -> Range<Int>? {
        guard let colon, colon + 1 < at else { return nil }
        return colon + 1..<at
    }

    private func isScaleMark(at index: Int) -> Bool {
        let mark = text[(index + 1)...].prefix(3)
        return mark.first?.isDigit == true && mark.dropFirst().elementsEqual("x.".utf8)
    }

    /// Whether a character ends every URL in prose.
    private func isEnd(_ byte: UInt8) -> Bool {
        kind == .prose && (byte <= UInt8(ascii: " ") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "<"))
    }
}

extension UInt8 {
    fileprivate var endsAuthority: Bool {
        self == UInt8(ascii: "/") || self == UInt8(ascii: "?") || self == UInt8(ascii: "#")
    }

    fileprivate var isSlash: Bool { self == UInt8(ascii: "/") || self == UInt8(ascii: "\\") }

    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
