/// What a ``WebImageDownloader`` can be told, as of one moment.
struct DownloaderSettings: Sendable {
    var config: WebImageDownloaderConfig {
        didSet { headers = config.allHeaders }
    }
    var requestModifier: (any DownloadRequestModifier)?
    var responseModifier: (any DownloadResponseModifier)?
    var decryptor: (any DownloadDecryptor)?
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
