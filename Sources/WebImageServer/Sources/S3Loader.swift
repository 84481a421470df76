import FoundationEssentials
import WebImageCore
import WebImageHTTP

/// Loads `s3://bucket/key` from a store of objects, by the library's downloader and libcurl's signature.
///
/// The store is trusted, and may have a private address. It may not send elsewhere: no redirect is followed.
final class S3Loader: ImageLoader {
    private let settings: S3Settings
    private let downloader: WebImageDownloader

    /// - Parameter config: The limits of transfers.
    init(settings: S3Settings, config: WebImageDownloaderConfig) {
        var config = config
        config.deniesPrivateAddresses = false
        config.maxRedirectCount = 0
        self.settings = settings
        downloader = WebImageDownloader(config: config)
    }

    func canLoad(_ url: URL) -> Bool { url.hasScheme("s3") }

    /// So that what the key has brought is shown to nothing that has not got it.
    func credential(for url: URL) -> DownloadCredential? { settings.credential }

    func load(
        _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any CancellableTask {
        let source = request.url
        do throws(AddressError) {
            let address = try S3Address(source.absoluteString).url(by: settings)
            return downloader.load(outgoing(request, to: address)) { event in
                receive(event.about(source))
            }
        } catch {
            receive(.finished(.failure(.invalidAddress(error.reason).about(source))))
            return EndedLoadTask()
        }
    }

    private func outgoing(_ request: ImageLoadRequest, to address: URL) -> ImageLoadRequest {
        var outgoing = request
        outgoing.url = address
        outgoing.credential = settings.credential
        // libcurl would take the field for the signature.
        outgoing.headers = request.headers.filter { !["authorization", "cookie"].contains($0.key.lowercased()) }
        outgoing.usesCookies = false
        return outgoing
    }
}

extension ImageLoadEvent {
    /// Failures name the source, and not the address at the store.
    fileprivate func about(_ source: URL) -> ImageLoadEvent {
        guard case .finished(let result) = self else { return self }
        return .finished(result.mapError { $0.about(source) })
    }
}
