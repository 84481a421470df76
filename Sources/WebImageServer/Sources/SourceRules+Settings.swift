import Foundation
import WebImage
import WebImageCore

extension SourceRules {
    /// The rules by a service's settings, with the key for objects from the environment.
    ///
    /// - Throws: For a setting that is wrong.
    init(
        _ settings: PictureServerSettings, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(PictureServerError) {
        do throws(AddressError) {
            try self.init(
                prefixes: settings.sources, root: settings.localRoot,
                s3: settings.allowsS3 ? Self.store(settings, environment) : nil, baseURL: settings.baseURL,
                allowsPrivate: settings.allowsPrivate)
        } catch {
            throw PictureServerError(error.reason)
        }
    }

    private static func store(
        _ settings: PictureServerSettings, _ environment: [String: String]
    ) throws(AddressError) -> S3Settings {
        var environment = environment
        if let region = settings.s3Region { environment["AWS_REGION"] = region }
        if let endpoint = settings.s3Endpoint { environment["AWS_ENDPOINT_URL_S3"] = endpoint }
        return try S3Settings.fromEnvironment(environment)
    }
}

extension SourceRules {
    /// A loader for each kind of source that the rules allow. Where private addresses are refused, redirects to them are, too, and
    /// no proxy of the environment is used, behind which no address can be checked. The store of objects is trusted.
    ///
    /// - Parameters:
    ///   - maximumByteCount: Larger sources are refused.
    ///   - timeout: For a whole transfer with its redirects.
    func loaders(maximumByteCount: Int, timeout: Duration) -> [any ImageLoader] {
        // Not the default of the process, which is an app's.
        var config = WebImageDownloaderConfig()
        config.maximumBodyByteCount = maximumByteCount
        config.totalTimeout = timeout
        config.downloadTimeout = min(config.downloadTimeout, timeout)
        config.connectTimeout = min(config.connectTimeout, timeout)
        config.maxConcurrentDownloads = 64
        config.maxConnectionsPerHost = 16
        var loaders: [any ImageLoader] = []
        if let s3 { loaders.append(S3Loader(settings: s3, config: config)) }
        if let root {
            loaders.append(DirectoryLoader(root: RootFolder(path: root), maximumByteCount: maximumByteCount))
        }
        config.deniesPrivateAddresses = !allowsPrivate
        if !allowsPrivate { config.proxy = "" }
        return loaders + [WebImageDownloader(config: config)]
    }
}
