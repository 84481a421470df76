import FoundationEssentials
import WebImageCore

/// A ready-made ``DownloadRequestModifier``.
public struct WebImageDownloaderRequestModifier: DownloadRequestModifier {
    private let change: @Sendable (ImageLoadRequest) -> ImageLoadRequest?

    /// Changes requests with `change`, which is called on the thread that starts the load; nil from it fails the load.
    public init(_ change: @escaping @Sendable (_ request: ImageLoadRequest) -> ImageLoadRequest?) {
        self.change = change
    }

    /// Sets the given parts of the request; `headers` replace fields of the same name in upper or lower case.
    public init(method: String? = nil, headers: [String: String] = [:], body: Data? = nil) {
        self.init { request in
            var request = request
            request.method = method ?? request.method
            request.headers = request.headers.overlaid(by: headers)
            request.body = body ?? request.body
            return request
        }
    }

    /// See ``DownloadRequestModifier/modify(_:)``.
    public func modify(_ request: ImageLoadRequest) -> ImageLoadRequest? { change(request) }
}
