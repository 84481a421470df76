import FoundationEssentials

/// The head of a server's response.
public struct HTTPResponse: Sendable, Equatable {
    /// The URL of the response, after redirects.
    public var url: URL
    /// The status code, 200 for success.
    public var statusCode: Int
    /// Header fields, names in lower case; repeated fields are joined by `, ` (RFC 9110 §5.3).
    public var headers: [String: String]

    /// A response with its fields.
    public init(url: URL, statusCode: Int, headers: [String: String] = [:]) {
        self.url = url
        self.statusCode = statusCode
        self.headers = headers
    }

    /// The field called `name`, in upper or lower case.
    public func header(_ name: String) -> String? { headers[name.lowercased()] }

    /// The media type without parameters, in lower case: `image/jpeg`.
    public var mimeType: String? {
        header("content-type")?.split(separator: ";").first.map {
            String($0.filter { !$0.isWhitespace }).lowercased()
        }
    }
}
