import FoundationEssentials

extension URL {
    /// The URL of a picture from a text that a person has written: an address with a scheme, or the path of a file.
    ///
    /// Text that starts with a scheme (RFC 3986 §3.1) is a URL; everything else is a path, relative ones to the working
    /// directory: `./a:b.jpg` is a file.
    /// - Throws: ``WebImageError/Code/invalidURL``, with the reason.
    public init(imageAddress text: String) throws(WebImageError) {
        guard !text.isEmpty else { throw .noURL }
        guard let scheme = text.scheme else {
            self = URL(filePath: text).absoluteURL
            return
        }
        guard let url = URL(string: text) else {
            throw .notURL(
                "this is not a URL; percent-encode the characters that a URL may not contain, or write ./ before the name of a file"
            )
        }
        if ["http", "https"].contains(scheme), url.host()?.isEmpty ?? true {
            throw .notURL("the URL names no host; write \(scheme)://host/path")
        }
        self = url
    }
}

extension String {
    /// In lower case. A single letter counts as no scheme.
    fileprivate var scheme: String? {
        guard let colon = firstIndex(of: ":"), first?.isLetter == true else { return nil }
        let scheme = self[..<colon].lowercased()
        let isScheme =
            scheme.count > 1 && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        return isScheme ? scheme : nil
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
