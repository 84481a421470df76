import FoundationEssentials

/// The origin of pictures that the same process may decode, one after the other: a web origin (RFC 6454, section 4), or
/// a folder of files.
struct DecodeOrigin: Hashable, Sendable {
    private let name: String

    /// nil for pictures that share nothing with any other, such as those of data URLs.
    init?(_ url: URL) {
        let name: String? =
            switch url.scheme?.lowercased() {
            case "http": Self.name(ofHost: url, scheme: "http", usualPort: 80)
            case "https": Self.name(ofHost: url, scheme: "https", usualPort: 443)
            case "file": Self.folder(of: url)
            default: nil
            }
        guard let name else { return nil }
        self.name = name
    }

    /// Two ways to write one folder are two origins, which costs a process and no more.
    private static func folder(of file: URL) -> String? {
        let address = file.absoluteString
        return address.lastIndex(of: "/").map { String(address[...$0]) }
    }

    private static func name(ofHost url: URL, scheme: String, usualPort: Int) -> String? {
        guard let host = url.host(), !host.isEmpty else { return nil }
        return "\(scheme)://\(host.lowercased()):\(url.port ?? usualPort)"
    }
}
