/// A ready-made ``DownloadResponseModifier``.
///
/// A class, so that loads that have the same one can share a transfer.
public final class WebImageDownloaderResponseModifier: DownloadResponseModifier {
    private let change: @Sendable (HTTPResponse) -> HTTPResponse?

    /// Changes answers by `change`, which is called on the transfer thread; nil from it fails the load.
    public init(_ change: @escaping @Sendable (_ response: HTTPResponse) -> HTTPResponse?) {
        self.change = change
    }

    /// Sets what is given and leaves the rest as it is; `headers` replace those of the same name, in whatever case.
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
