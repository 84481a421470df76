import FoundationEssentials

/// A snapshot of the settings of a ``WebImageDownloader``.
struct DownloaderSettings: Sendable {
    var config: WebImageDownloaderConfig {
        didSet {
            headers = config.allHeaders
            if config.netrcFile != oldValue.netrcFile { netrc = config.netrcFile.flatMap(NetrcFile.init(path:)) }
        }
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
    /// Read when it is set.
    private var netrc: NetrcFile?
    /// The header fields of every request, unless the request has a field of that name.
    private(set) var headers: [String: String]

    init(config: WebImageDownloaderConfig) {
        self.config = config
        headers = config.allHeaders
        netrc = config.netrcFile.flatMap(NetrcFile.init(path:))
    }

    /// The identity of the client for the server of an address: the credential, a client certificate by its file, or an
    /// entry of the netrc file.
    func credential(for url: URL) -> DownloadCredential? {
        if let credential = config.credential { return credential }
        guard let host = url.host() else { return nil }
        if let certificate = config.clientCertificates.value(forHost: host) {
            let files = "\(certificate.certificateFile) \(certificate.keyFile)"
            return DownloadCredential(user: "client certificate", password: files)
        }
        return netrc?.credential(for: HostSpelling.of(host))
    }
}

extension WebImageDownloaderConfig {
    fileprivate var allHeaders: [String: String] {
        userAgent.isEmpty ? headers : ["User-Agent": userAgent].overlaid(by: headers)
    }
}
