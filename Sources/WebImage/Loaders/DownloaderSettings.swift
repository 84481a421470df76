/// What a ``WebImageDownloader`` can be told, as of one moment.
struct DownloaderSettings: Sendable {
    var config: WebImageDownloaderConfig {
        didSet { headers = config.allHeaders }
    }
    var requestModifier: (any DownloadRequestModifier)?
    var responseModifier: (any DownloadResponseModifier)? {
        didSet { responseModifierIdentity = CollaboratorIdentity(responseModifier) }
    }
    var decryptor: (any DownloadDecryptor)? {
        didSet { decryptorIdentity = CollaboratorIdentity(decryptor) }
    }
    // Made once: those that cannot be compared are the same for all loads that have none of their own.
    private(set) var responseModifierIdentity = CollaboratorIdentity(nil)
    private(set) var decryptorIdentity = CollaboratorIdentity(nil)
    /// The fields that every request has unless it names them itself.
    private(set) var headers: [String: String]

    init(config: WebImageDownloaderConfig) {
        self.config = config
        headers = config.allHeaders
    }
}

extension WebImageDownloaderConfig {
    fileprivate var allHeaders: [String: String] {
        userAgent.isEmpty ? headers : ["User-Agent": userAgent].overlaid(by: headers)
    }
}
