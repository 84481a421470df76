import FoundationEssentials
import WebImageCore
import WebImageHTTP

/// A source of http or https.
struct WebSource {
    /// Without a fragment, and with the one spelling of its host.
    let url: URL

    init(_ source: String) throws(AddressError) {
        // Programs read these in different ways, so that an address could be checked by one reading and asked by another.
        guard !source.utf8.contains(UInt8(ascii: "\\")) else {
            throw AddressError("write %5C for a backslash in a source")
        }
        let (scheme, rest) = source[...].divided(at: "#").0.divided(at: ":")
        guard let rest, rest.hasPrefix("//") else {
            throw AddressError("the source names no host; write http://host/path")
        }
        let authority = rest.utf8.dropFirst(2).prefix { !"/?".utf8.contains($0) }
        guard !authority.contains(UInt8(ascii: "@")) else {
            throw AddressError("a source has no user and no password", status: .forbidden)
        }
        guard let url = URL(webAddress: "\(scheme.lowercased()):\(rest)")?.withPlainHost,
            url.hasScheme("http", "https"), let host = url.host(percentEncoded: false), Self.isHost(host),
            url.user() == nil, url.port.map({ (1...65535).contains($0) }) ?? true
        else { throw AddressError("the source is no address of http: \(source.abbreviated(to: 200))") }
        guard let path = url.path(percentEncoded: true).percentDecodedBytes, !Self.climbs(path) else {
            throw AddressError("the path of the source is not percent-encoded rightly, or leads up by escaped slashes")
        }
        self.url = url
    }

    /// Whether a text can only be a host: none of its characters ends one, or begins something else.
    private static func isHost(_ name: String) -> Bool {
        let text = name.utf8
        if text.contains(UInt8(ascii: ":")) { return !name.contains("%") && NetworkAddress(name) != nil }
        return (1...253).contains(text.count)
            && text.allSatisfy { byte in
                byte >= 0x80 || "-._".utf8.contains(byte)
                    || Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
            }
    }

    /// Whether a server that decodes the path would find a way up in it, and so out of an allowed prefix.
    private static func climbs(_ path: [UInt8]) -> Bool {
        path.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.contains { $0.elementsEqual("..".utf8) }
    }
}

/// A file below the service's directory: `local:///path`.
struct LocalSource {
    let url: URL

    /// - Parameter source: Percent-encoded, but for characters that no address allows; a `#` belongs to the name, and a query
    ///   says nothing.
    init(_ source: String) throws(AddressError) {
        let rest = source.dropFirst("local:".utf8.count)
        guard rest.hasPrefix("///") else { throw AddressError("a file of the service's directory is local:///PATH") }
        let (path, _) = rest.dropFirst(2).divided(at: "?")
        guard let bytes = String(path).percentDecodedBytes, !bytes.contains(0) else {
            throw AddressError("the path of the source is not percent-encoded rightly; write a % itself as %25")
        }
        let names = bytes.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
        guard !names.isEmpty, !names.contains(where: { $0.elementsEqual("..".utf8) }) else {
            throw AddressError("there is no such file in the service's directory", status: .notFound)
        }
        let encoded = String(strictlyEncoding: names.joined(separator: "/".utf8), keeping: "/")
        guard let url = URL(string: "local:///" + encoded, encodingInvalidCharacters: false) else {
            throw AddressError("the path of the source is no path")
        }
        self.url = url
    }
}
