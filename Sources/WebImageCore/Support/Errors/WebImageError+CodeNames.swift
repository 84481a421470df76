extension WebImageError.Code: CustomStringConvertible {
    /// The code's name, such as `timedOut`; the number, where the code is an app's own.
    public var description: String { Self.names[self] ?? String(rawValue) }

    private static let names: [Self: String] = [
        .invalidURL: "invalidURL", .badImageData: "badImageData", .cacheNotModified: "cacheNotModified",
        .blockedURL: "blockedURL", .invalidDownloadOperation: "invalidDownloadOperation",
        .invalidDownloadStatusCode: "invalidDownloadStatusCode", .cancelled: "cancelled",
        .invalidDownloadResponse: "invalidDownloadResponse",
        .invalidDownloadContentType: "invalidDownloadContentType", .transferFailed: "transferFailed",
        .timedOut: "timedOut", .cannotFindHost: "cannotFindHost", .cannotConnect: "cannotConnect",
        .connectionLost: "connectionLost", .tooManyRedirects: "tooManyRedirects",
        .unsupportedScheme: "unsupportedScheme", .secureConnectionFailed: "secureConnectionFailed",
        .limitExceeded: "limitExceeded", .truncatedImageData: "truncatedImageData", .fileNotFound: "fileNotFound",
        .accessDenied: "accessDenied", .diskFull: "diskFull", .fileFailed: "fileFailed", .notCached: "notCached",
        .allSourcesFailed: "allSourcesFailed", .encodeFailed: "encodeFailed", .invalidOperation: "invalidOperation",
    ]
}
