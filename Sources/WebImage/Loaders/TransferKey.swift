import FoundationEssentials

/// Loads with equal keys share one transfer: what a server is asked is the same, by the same rights, and its answer is
/// believed on the same terms and read by the same modifier.
struct TransferKey: Hashable, Sendable {
    /// Without user and password, which stand in ``credential``.
    let url: String
    let method: String
    /// All of them, as they are sent.
    let headers: [String: String]
    let body: Data?
    let credential: DownloadCredential?
    let usesCookies: Bool
    let allowsInvalidCertificates: Bool
    let responseModifier: CollaboratorIdentity
}
