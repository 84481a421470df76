import FoundationEssentials
import WebImage

/// An address or a path, as it was given.
struct Operand: Sendable {
    /// As it was given, in a form that is safe to print.
    let name: String
    /// What it stands for, or why it stands for nothing.
    let url: Result<URL, WebImageError>
    private let text: String

    /// Text that starts with a scheme (RFC 3986 §3.1) is a URL, everything else is a path: `./a:b.jpg` is a file.
    init(_ text: String) {
        self.text = text
        name = text.printable
        url = Result { () throws(WebImageError) in try Self.url(of: text) }
    }

    /// The address for machines: absolute where there is one.
    var address: String { (try? url.get().absoluteString) ?? text }

    /// The part of the name that tells it from its neighbours, for a place without room for all of it.
    var shortName: String {
        guard let url = try? url.get(), url.path() != "/", !url.hasScheme("data") else { return name }
        return url.lastPathComponent.printable
    }

    private static func url(of text: String) throws(WebImageError) -> URL {
        guard !text.isEmpty else { throw notURL("the operand is empty; give a URL or a path") }
        guard let scheme = scheme(of: text) else { return URL(filePath: text).absoluteURL }
        guard let url = URL(string: text) else {
            throw notURL("this is not a URL; escape what a URL may not hold, or write ./ before the name of a file")
        }
        if ["http", "https"].contains(scheme), url.host()?.isEmpty ?? true {
            throw notURL("the URL names no host; write \(scheme)://host/path")
        }
        return url
    }

    /// In lower case. One letter is no scheme that anybody uses.
    private static func scheme(of text: String) -> String? {
        guard let colon = text.firstIndex(of: ":"), text.first?.isLetter == true else { return nil }
        let scheme = text[..<colon].lowercased()
        let isScheme =
            scheme.count > 1 && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        return isScheme ? scheme : nil
    }

    private static func notURL(_ reason: String) -> WebImageError {
        WebImageError(.invalidURL, stage: .request, kind: .permanent, reason: reason)
    }
}
