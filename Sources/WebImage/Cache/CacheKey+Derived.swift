extension CacheKey {
    /// The key of a thumbnail made from the picture called by this key: `a.jpg` becomes
    /// `a-Thumbnail({300.000000,200.000000},1).jpg`.
    package func thumbnail(_ size: PixelSize, preservesAspectRatio: Bool) -> CacheKey {
        let box = "{\(size.width).000000,\(size.height).000000}"
        return appending("-Thumbnail(\(box),\(preservesAspectRatio ? 1 : 0))")
    }

    /// The key of what a transformer makes of the picture called by this key, which is the thumbnail's where there is
    /// one: `a.jpg` becomes `a-SDImageFlippingTransformer(1,0).jpg`. The same key for the empty one of a transformer that
    /// changes nothing.
    package func transformed(_ transformerKey: String) -> CacheKey {
        transformerKey.isEmpty ? self : appending("-" + transformerKey)
    }

    /// The key of the same file decoded in another way. Never a disk key: the file is the same.
    package func variant(_ text: String) -> CacheKey { CacheKey("\(string)\u{0}\(text)") }

    /// Puts `suffix` before the file name extension, so that the name still says what the file is; query, fragment and
    /// credentials stay where they were. Without an extension it goes to the very end.
    private func appending(_ suffix: String) -> CacheKey {
        let text = isURL ? suffix.percentEncoded : suffix
        guard let dot = extensionDot else { return CacheKey(string + text) }
        return CacheKey(string[..<dot] + text + string[dot...])
    }

    /// Where the file name extension begins, with its dot.
    private var extensionDot: String.Index? {
        let path = string.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let slash = path.lastIndex(of: UInt8(ascii: "/"))
        let name = path[(slash.map(path.index(after:)) ?? path.startIndex)...]
        // A dot that starts or ends the name is no extension's, nor is one in the host or in a suffix that stands here.
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex,
            path.index(after: dot) != path.endIndex, path.last != UInt8(ascii: ")"),
            !string.utf8[..<name.startIndex].hasSchemeAtEnd
        else { return nil }
        return dot
    }

    private var isURL: Bool {
        guard let colon = string.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return string.utf8[colon...].starts(with: "://".utf8)
    }
}

extension Substring.UTF8View {
    /// Whether a host follows.
    fileprivate var hasSchemeAtEnd: Bool { suffix(3).elementsEqual("://".utf8) }
}

extension String {
    /// The text as a part of a URL's last path component: what may not stand there is escaped (RFC 3986 §3.3).
    fileprivate var percentEncoded: String {
        guard let first = utf8.firstIndex(where: { !$0.isPathCharacter }) else { return self }
        var bytes = Array(utf8[..<first])
        for byte in utf8[first...] {
            if byte.isPathCharacter {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), Self.hexDigits[Int(byte >> 4)], Self.hexDigits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)
}

extension UInt8 {
    /// Letters, digits, and the marks that RFC 3986 allows in a path segment.
    fileprivate var isPathCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "&")...UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: ";"),
            UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "="), UInt8(ascii: "@"), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
