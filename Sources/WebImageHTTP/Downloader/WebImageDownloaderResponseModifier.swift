import WebImageCore

/// A ready-made ``DownloadResponseModifier``.
///
/// A class, so that loads with the same modifier can share a transfer.
public final class WebImageDownloaderResponseModifier: DownloadResponseModifier {
    private let change: @Sendable (HTTPResponse) -> HTTPResponse?

    /// Changes responses with `change`, which is called on the transfer thread; nil from it fails the load.
    public init(_ change: @escaping @Sendable (_ response: HTTPResponse) -> HTTPResponse?) {
        self.change = change
    }

    /// Sets the given parts of the response; `headers` replace fields of the same name in upper or lower case.
    public convenience init(statusCode: Int? = nil, headers: [String: String] = [:]) {
        let fields = headers.withLowercasedNames
        self.init { response in
            var response = response
            response.statusCode = statusCode ?? response.statusCode
            response.headers.merge(fields) { $1 }
            return response
        }
    }

    /// See ``DownloadResponseModifier/modify(_:)``.
    public func modify(_ response: HTTPResponse) -> HTTPResponse? { change(response) }
}
