import FoundationEssentials
import WebImageCore

/// Loads with equal keys share one transfer: they send the same request with the same credentials, trust the same
/// certificates, and use the same response modifier and download operation.
///
/// An object, since it is compared and kept in many places, and never changes.
final class TransferKey: Hashable, Sendable {
    /// Without user and password, which are in ``credential``.
    let url: String
    let method: String
    /// All fields, as they are sent.
    let headers: [String: String]
    let body: Data?
    let credential: DownloadCredential?
    let usesCookies: Bool
    let allowsInvalidCertificates: Bool
    let responseModifier: CollaboratorIdentity
    let operation: CollaboratorIdentity
    /// Of the address: requests for one seldom differ in anything else. Computed once, on the caller's thread.
    private let digest: Int

    init(
        url: String, method: String, headers: [String: String], body: Data?, credential: DownloadCredential?,
        usesCookies: Bool, allowsInvalidCertificates: Bool, responseModifier: CollaboratorIdentity,
        operation: CollaboratorIdentity
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.credential = credential
        self.usesCookies = usesCookies
        self.allowsInvalidCertificates = allowsInvalidCertificates
        self.responseModifier = responseModifier
        self.operation = operation
        digest = url.hashValue
    }

    static func == (lhs: TransferKey, rhs: TransferKey) -> Bool {
        lhs === rhs
            || lhs.digest == rhs.digest && lhs.url == rhs.url && lhs.method == rhs.method && lhs.headers == rhs.headers
                && lhs.body == rhs.body
                && lhs.credential == rhs.credential && lhs.usesCookies == rhs.usesCookies
                && lhs.allowsInvalidCertificates == rhs.allowsInvalidCertificates
                && lhs.responseModifier == rhs.responseModifier && lhs.operation == rhs.operation
    }

    func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
