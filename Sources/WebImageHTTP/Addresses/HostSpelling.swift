import FoundationEssentials

/// The one spelling of a host, by which everything that belongs to it is found: pinned keys, certificates, cookies, its wish
/// for https. `H1.Example`, `h1.example.` and `h1%2eexample` are one host, and so are `127.0.0.1` and `0x7f.1`.
package enum HostSpelling {
    /// In lower case, decoded, without a dot at its end, and without the brackets of an address.
    package static func of(_ host: String) -> String {
        if isPlain(host) { return host }
        if host.utf8.contains(UInt8(ascii: ":")) { return ofAddress(host) }
        var name = host
        // A dot may hide a number: `0x7f.1.` is one without it.
        for _ in 0..<3 {
            let bare = name.withoutDotAtEnd
            guard let read = CurlHost.name(of: bare)?.lowercased(), !read.isEmpty,
                !read.utf8.contains(UInt8(ascii: "%"))
            else { return name.lowercased() }
            if read == name { break }
            name = read
        }
        return name
    }

    /// Whether nearly all hosts are written as this one, which needs no other spelling.
    static func isPlain(_ host: String) -> Bool {
        let text = host.utf8
        // A host that ends in a number may be an address.
        let lastLabel = text.lastIndex(of: UInt8(ascii: ".")).map { text[text.index(after: $0)...] } ?? text[...]
        guard let first = lastLabel.first, !isDigit(first) else { return false }
        return text.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || isDigit(byte) || "-._".utf8.contains(byte)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func ofAddress(_ host: String) -> String {
        let bare = host.filter { $0 != "[" && $0 != "]" }
        // A zone is the name of one of the machine's own interfaces.
        return bare.contains("%") ? bare : NetworkAddress(bare)?.text ?? bare.lowercased()
    }
}

extension URL {
    /// The URL with the one spelling of its host.
    package var withPlainHost: URL {
        guard let host = host(), !HostSpelling.isPlain(host),
            var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return self }
        let name = HostSpelling.of(host)
        let isAddress = name.utf8.contains(UInt8(ascii: ":"))
        let encoded = PercentEncoding.encode(Array(name.utf8)[...], keeping: "".utf8)
        components.percentEncodedHost = isAddress ? "[\(name)]" : String(decoding: encoded, as: UTF8.self)
        return components.url ?? self
    }
}

extension Dictionary where Key == String {
    /// The value that an app has set for a host, in any of its spellings.
    func value(forHost host: String) -> Value? {
        guard !isEmpty else { return nil }
        let name = HostSpelling.of(host)
        return self[name] ?? first { HostSpelling.of($0.key) == name }?.value
    }
}

extension String {
    fileprivate var withoutDotAtEnd: String {
        var text = Substring(self)
        while text.utf8.last == UInt8(ascii: ".") { text.removeLast() }
        return String(text)
    }
}
