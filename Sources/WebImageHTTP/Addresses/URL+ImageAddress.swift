import FoundationEssentials
import WebImageCore

extension URL {
    /// The URL of a picture from a text that a person has written: an address with a scheme, or the path of a file.
    ///
    /// Text that starts with a scheme (RFC 3986 §3.1) is a URL. Text that starts with `/`, `./`, `../` or `~/` is a path,
    /// relative to the working directory or the user's home directory. All other text is refused, because it may be
    /// either: `example.com/a.jpg`, `localhost:8080/a.jpg`, `a.jpg`.
    /// - Throws: ``WebImageError/Code/invalidURL``, with the reason.
    package init(imageAddress text: String) throws(WebImageError) {
        guard !text.isEmpty else { throw .noURL }
        guard let scheme = text.scheme else {
            guard text.isPath else { throw .notURL(text.reasonWithoutScheme) }
            self = URL(filePath: text).absoluteURL
            return
        }
        guard let url = URL(webAddress: text) else {
            throw .notURL(
                "this is not a URL; check the name of its host, or write ./ before the name of a file"
            )
        }
        if ["http", "https"].contains(scheme), url.host()?.isEmpty ?? true {
            throw .notURL("the URL names no host; write \(scheme)://host/path")
        }
        self = url
    }

    /// The same for a place where relative paths are usual, such as a command line: what has no scheme is a path.
    package init(addressOrPath text: String) throws(WebImageError) {
        guard text.isEmpty || text.scheme != nil else {
            self = URL(filePath: text).absoluteURL
            return
        }
        try self.init(imageAddress: text)
    }
}

extension String {
    /// In lower case. A single letter counts as no scheme, and a host with a port has none.
    fileprivate var scheme: String? {
        guard let colon = firstIndex(of: ":"), first?.isLetter == true else { return nil }
        let scheme = self[..<colon].lowercased()
        let isScheme =
            scheme.count > 1 && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        return isScheme && !(scheme.isHost && self[colon...].beginsWithPort) ? scheme : nil
    }

    /// Whether a scheme is a host's name rather: `localhost`, `example.com`.
    private var isHost: Bool { self == "localhost" || contains(".") }

    fileprivate var isPath: Bool { ["/", "./", "../", "~/"].contains { hasPrefix($0) } }

    fileprivate var reasonWithoutScheme: String {
        let name = addressWithoutPassword.abbreviated(to: 100)
        return "\(name) has no scheme; write https://\(name) for an address, or ./\(name) for a file"
    }
}

extension Substring {
    /// Whether a colon and digits are all, or all before a path.
    fileprivate var beginsWithPort: Bool {
        let port = dropFirst().prefix { !"/?#".contains($0) }
        return !port.isEmpty && port.allSatisfy { $0.isASCII && $0.isNumber }
    }
}

extension WebImageError {
    package static var noURL: WebImageError {
        .notURL("there is no URL; give an http, https, file or data URL, or a path")
    }

    fileprivate static func notURL(_ reason: String) -> WebImageError {
        WebImageError(.invalidURL, stage: .request, kind: .permanent, reason: reason)
    }
}
