import FoundationEssentials

/// A request as a loader has sent it.
package struct SentRequest: Sendable {
    package let url: URL
    package let method: String
    /// All fields but those of the connection.
    package let headers: [String: String]
    package let usesCookies: Bool
    /// Seconds until one of the redirects that were followed has to be asked for again; nil where that is unknown.
    package var redirectLifetime: Double?

    package init(
        url: URL, method: String, headers: [String: String], usesCookies: Bool, redirectLifetime: Double? = nil
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.usesCookies = usesCookies
        self.redirectLifetime = redirectLifetime
    }

    /// The field called `name`, given in lower case.
    package func header(_ name: String) -> String? { headers.first { $0.key.lowercased() == name }?.value }
}
