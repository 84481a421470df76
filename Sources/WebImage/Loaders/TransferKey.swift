import FoundationEssentials

/// Loads with equal keys share one transfer: they send the same request with the same credentials, trust the same
/// certificates, and use the same response modifier and download operation.
struct TransferKey: Hashable, Sendable {
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
}
