import FoundationEssentials
import WebImageCore
import WebImageHTTP

/// The beginning of addresses that may be sources: `https://*.example.com/pictures/`.
///
/// A `*` is for any letters of one label of the host, or of one segment of the path. A host ends where it ends:
/// `https://host` is for no address of `https://host.evil.com`. A path may end within a segment: `/a` is also for `/ab`.
struct SourcePrefix: Sendable, Equatable {
    private let scheme: String
    /// Empty for any host.
    private let host: String
    private let port: Int?
    private let path: String

    /// - Parameter text: A scheme with `://`, and any of host, port and path behind it, such as `s3://` or `local:///public/`.
    init(_ text: String) throws(AddressError) {
        let (scheme, rest) = text[...].divided(at: ":")
        guard let rest, rest.hasPrefix("//"), SourceScheme(rawValue: scheme.lowercased()) != nil,
            text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { throw .notPrefix(text) }
        let (authority, path) = rest.dropFirst(2).divided(at: "/")
        guard !authority.contains(where: { "@\\?#% ".contains($0) }) else { throw .notPrefix(text) }
        self.scheme = scheme.lowercased()
        (host, port) = try Self.host(of: authority, in: text)
        self.path = path.map { Self.plain("/" + $0) } ?? ""
        guard !host.isEmpty || self.path.isEmpty || self.scheme == "local" else { throw .notPrefix(text) }
    }

    /// Whether an address begins so.
    ///
    /// - Parameter url: With the one spelling of its host.
    func matches(_ url: URL) -> Bool {
        guard url.scheme?.lowercased() == scheme else { return false }
        if host.isEmpty, path.isEmpty { return true }
        let name = url.host(percentEncoded: false)?.lowercased() ?? ""
        guard host.isEmpty || Self.glob(host, name, notOver: ".", isWhole: true) && port == url.portBesideUsual else {
            return false
        }
        let target = url.path(percentEncoded: true) + (url.query(percentEncoded: true).map { "?" + $0 } ?? "")
        return Self.glob(path, target.withPlainEscapes, notOver: "/", isWhole: false)
    }

    private static func host(of authority: Substring, in text: String) throws(AddressError) -> (String, Int?) {
        // The name of a bucket may look like a number, which is an address elsewhere.
        if text.hasScheme("s3") { return (authority.lowercased(), nil) }
        guard let colon = authority.lastIndex(of: ":"), authority.last != "]" else {
            return (spelling(of: authority), nil)
        }
        guard let port = Int(authority[authority.index(after: colon)...]), (1...65535).contains(port) else {
            throw .notPrefix(text)
        }
        return (spelling(of: authority[..<colon]), port == (text.hasScheme("https") ? 443 : 80) ? nil : port)
    }

    private static func spelling(of host: Substring) -> String {
        var host = host
        while host.last == "." { host.removeLast() }
        return HostSpelling.of(host.lowercased())
    }

    /// As ``URL/init(webAddress:relativeTo:)`` writes a path and a query.
    private static func plain(_ path: String) -> String {
        let bytes = PercentEncoding.encode(Array(path.utf8)[...], keeping: "/:@?".utf8)
        return String(decoding: bytes, as: UTF8.self).withPlainEscapes
    }

    /// Whether a text is what a pattern is for, or begins so. A `*` is for any bytes but one.
    private static func glob(_ pattern: String, _ text: String, notOver end: Character, isWhole: Bool) -> Bool {
        let (pattern, text, end) = (Array(pattern.utf8), Array(text.utf8), end.asciiValue)
        var (place, position) = (0, 0)
        /// The latest `*`, and the end of what it is for.
        var star: (place: Int, end: Int)?
        while place < pattern.count || isWhole && position < text.count {
            if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
                star = (place, position)
                place += 1
            } else if place < pattern.count, position < text.count, pattern[place] == text[position] {
                place += 1
                position += 1
            } else if let latest = star, latest.end < text.count, text[latest.end] != end {
                star = (latest.place, latest.end + 1)
                (place, position) = (latest.place + 1, latest.end + 1)
            } else {
                return false
            }
        }
        return true
    }
}

extension URL {
    /// nil for the port of http or https.
    fileprivate var portBesideUsual: Int? { port == (hasScheme("https") ? 443 : 80) ? nil : port }
}

extension AddressError {
    fileprivate static func notPrefix(_ text: String) -> AddressError {
        AddressError("\(text) is no prefix of sources, such as https://*.example.com/, s3://bucket/ or local://")
    }
}
