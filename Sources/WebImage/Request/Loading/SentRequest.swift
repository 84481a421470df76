import FoundationEssentials

/// A request as a loader has sent it.
struct SentRequest: Sendable {
    let url: URL
    let method: String
    /// All fields but those of the connection.
    let headers: [String: String]
    let usesCookies: Bool
    /// Seconds until one of the redirects that were followed has to be asked for again; nil where that is unknown.
    var redirectLifetime: Double?

    /// The field called `name`, given in lower case.
    func header(_ name: String) -> String? { headers.first { $0.key.lowercased() == name }?.value }
}
