import FoundationEssentials
import WebImage
import WebImageCore
import WebImageHTTP

struct SourceRules: Sendable, Equatable {
    var prefixes: [String] = []
    var root: String?
    var baseURL: String?
    func url(for source: String) throws(AddressError) -> URL {
        guard let url = URL(string: source),
            ["http", "https"].contains(url.scheme ?? "") || source == ExampleLoader.address
        else { throw AddressError("no source: \(source)") }
        return url
    }
    func loaders(allowsPrivate: Bool, maximumByteCount: Int, timeout: Duration) -> [any ImageLoader] {
        var config = WebImageDownloaderConfig()
        config.deniesPrivateAddresses = !allowsPrivate
        if !allowsPrivate { config.proxy = "" }
        config.maximumBodyByteCount = maximumByteCount
        config.totalTimeout = timeout
        config.maxConcurrentDownloads = 64
        config.maxConnectionsPerHost = 16
        return [WebImageDownloader(config: config)]
    }
}
extension SourceRules {
    init(_ settings: PictureServerSettings) throws(ServiceFailure) {
        self.init(prefixes: settings.sources, root: settings.localRoot, baseURL: settings.baseURL)
    }
}
