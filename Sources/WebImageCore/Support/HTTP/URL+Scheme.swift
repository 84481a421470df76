import FoundationEssentials

extension URL {
    /// Whether the scheme is `name` or `other`, which are in lower case; the URL may have it in upper case (RFC 3986
    /// §3.1).
    // Every load calls this: it creates neither the scheme nor a lowercase copy.
    package func hasScheme(_ name: StaticString, _ other: StaticString? = nil) -> Bool {
        absoluteString.hasScheme(name, other)
    }
}

extension URL {
    /// The same without its fragment.
    package var withoutFragment: URL {
        guard absoluteString.withUTF8Bytes({ $0.has(UInt8(ascii: "#")) }) else { return self }
        return URL(string: absoluteString.withoutFragment) ?? self
    }
}

extension String {
    /// The same of a URL's text.
    package func hasScheme(_ name: StaticString, _ other: StaticString? = nil) -> Bool {
        withUTF8Bytes { bytes in
            bytes.begins(withScheme: name) || other.map { bytes.begins(withScheme: $0) } ?? false
        }
    }
}

extension String {
    /// An address without its fragment, which names a part of a resource and is not sent (RFC 3986 §3.5). Schemes of an
    /// app's own may mean something else by it.
    package var withoutFragment: String {
        guard let length = withUTF8Bytes({ $0.firstOffset(of: UInt8(ascii: "#")) }),
            hasScheme("http", "https") || hasScheme("file", "data")
        else { return self }
        return String(self[..<utf8.index(startIndex, offsetBy: length)])
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func begins(withScheme name: StaticString) -> Bool {
        let length = name.utf8CodeUnitCount
        guard count > length, self[length] == UInt8(ascii: ":") else { return false }
        return (0..<length).allSatisfy { index in
            let letter = name.utf8Start[index]
            return self[index] == letter || self[index] | 0x20 == letter && (0x61...0x7a).contains(letter)
        }
    }
}
