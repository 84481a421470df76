import WebImageCore

/// Why a request gets no picture.
struct ServiceError: Error, Sendable, Equatable {
    let status: Int
    /// For the client: what is wrong, where, and what to do.
    let reason: String
    /// Seconds after which the client may ask again.
    var retryAfter: Int?

    init(_ status: Int, _ reason: String, retryAfter: Int? = nil) {
        self.status = status
        self.reason = reason
        self.retryAfter = retryAfter
    }

    init(_ error: AddressError) { self.init(error.status.rawValue, error.reason) }

    /// Of a source that could not be fetched: 404 for one that is not there, 403 for one that is not allowed, 502 and 504 for its
    /// server's faults.
    init(source error: WebImageError) {
        let status =
            switch error.code {
            case .invalidDownloadStatusCode: Self.status(ofSource: error.statusCode ?? 500)
            case .fileNotFound: 404
            case .accessDenied: 403
            case .fileFailed where error.kind == .permanent: 404
            // A server that sends elsewhere than to http and https: the client's own address was read before.
            case .unsupportedScheme: 502
            case .invalidURL: 400
            case .timedOut: 504
            case .limitExceeded, .badImageData, .truncatedImageData: 422
            case .cancelled: 503
            default: 502
            }
        self.init(status, "the source: \(Self.limits[error.code] ?? error.reason)")
    }

    /// In the service's words: a client can change none of the library's limits.
    private static let limits: [WebImageError.Code: String] = [
        .limitExceeded: "it is larger than this service allows",
        .timedOut: "its server has not sent it in time; ask again later",
    ]

    private static func status(ofSource status: Int) -> Int {
        switch status {
        case 401, 403, 404, 410, 451: 404
        case 408, 429, 503: 503
        default: 502
        }
    }

    /// Of a result that could not be made: 422 for a file that is no picture, or too large a one.
    init(making error: WebImageError) {
        let status =
            switch (error.stage, error.code) {
            case (.request, _): 400
            case (_, .cancelled): 503
            case (_, .badImageData), (_, .truncatedImageData), (_, .limitExceeded), (_, .timedOut): 422
            default: 500
            }
        self.init(status, error.reason)
    }
}
