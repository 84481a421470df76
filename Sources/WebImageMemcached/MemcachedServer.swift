/// The address of one memcached, and its share of the entries.
public struct MemcachedServer: Sendable, Hashable {
    /// A name, or an address in numbers.
    public let host: String
    /// Its port.
    public let port: UInt16
    /// Its share in proportion to the others': by default 1, and at most 100.
    public let weight: Int

    /// - Parameters:
    ///   - host: A name, or an IPv4 or IPv6 address.
    ///   - port: 11211 by default.
    ///   - weight: 1 by default; less than 1 counts as 1, more than 100 as that.
    public init(host: String, port: UInt16 = 11211, weight: Int = 1) {
        self.host = host
        self.port = port
        self.weight = min(max(weight, 1), 100)
    }

    /// Reads `host`, `host:port` or `host:port*weight`, with an IPv6 address in brackets where a port stands behind it; nil for
    /// any other text.
    public init?(_ text: String) {
        let parts = text.split(separator: "*", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = parts.first, let place = Self.place(address) else { return nil }
        var weight = 1
        if parts.count == 2 {
            guard let number = Int(parts[1]), 1...100 ~= number else { return nil }
            weight = number
        }
        self.init(host: place.host, port: place.port ?? 11211, weight: weight)
    }

    private static func place(_ text: Substring) -> (host: String, port: UInt16?)? {
        let (host, rest): (Substring, Substring)
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return nil }
            (host, rest) = (text[text.index(after: text.startIndex)..<end], text[text.index(after: end)...])
        } else if text.count(where: { $0 == ":" }) > 1 {
            (host, rest) = (text, "")
        } else {
            let end = text.firstIndex(of: ":") ?? text.endIndex
            (host, rest) = (text[..<end], text[end...])
        }
        guard !host.isEmpty, !host.contains(where: \.isWhitespace), rest.isEmpty || rest.first == ":" else {
            return nil
        }
        guard !rest.isEmpty else { return (String(host), nil) }
        guard let port = UInt16(rest.dropFirst()), port > 0 else { return nil }
        return (String(host), port)
    }

    /// The name in the ring. Its places in the circle depend on nothing else.
    var name: String { "\(host):\(port)" }
}
