import FoundationEssentials
import WebImageCore

/// A snapshot of the settings of a ``WebImageDownloader``.
struct DownloaderSettings: Sendable {
    var config: WebImageDownloaderConfig {
        didSet { headers = config.allHeaders }
    }
    var isSuspended = false
    var requestModifier: (any DownloadRequestModifier)?
    var responseModifier: (any DownloadResponseModifier)? {
        didSet { responseModifierIdentity = CollaboratorIdentity(responseModifier) }
    }
    var decryptor: (any DownloadDecryptor)? {
        didSet { decryptorIdentity = CollaboratorIdentity(decryptor) }
    }
    var operation: (any DownloadOperation)? {
        didSet { operationIdentity = CollaboratorIdentity(operation) }
    }
    // Created once: modifiers that cannot be compared are the same for all loads without a modifier in the request.
    private(set) var responseModifierIdentity = CollaboratorIdentity(nil)
    private(set) var decryptorIdentity = CollaboratorIdentity(nil)
    private(set) var operationIdentity = CollaboratorIdentity(nil)
    /// The header fields of every request, unless the request has a field of that name.
    private(set) var headers: [String: String]

    init(config: WebImageDownloaderConfig) {
        self.config = config
        headers = config.allHeaders
    }

    /// The identity of the client for the server of an address: the credential, or a client certificate by its file.
    func credential(for url: URL) -> DownloadCredential? {
        if let credential = config.credential { return credential }
        guard let certificate = url.host().flatMap(config.clientCertificates.value(forHost:)) else { return nil }
        let files = "\(certificate.certificateFile) \(certificate.keyFile)"
        return DownloadCredential(user: "client certificate", password: files)
    }
}

extension WebImageDownloaderConfig {
    fileprivate var allHeaders: [String: String] {
        userAgent.isEmpty ? headers : ["User-Agent": userAgent].overlaid(by: headers)
    }
}
