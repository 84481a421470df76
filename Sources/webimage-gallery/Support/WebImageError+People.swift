import WebImage

nonisolated extension WebImageError {
    /// The sentence for a person who knows nothing of this library.
    var sentence: String {
        // A picture that was not tried again has failed before, for a reason.
        if code == .blockedURL, let failure = underlying as? WebImageError { return failure.sentence }
        return switch code {
        case .badImageData: "This is no picture, or it is damaged"
        case .truncatedImageData: "Not all of this picture is there: it is damaged, or still being copied"
        case .fileNotFound: "This file is not there any more"
        case .accessDenied: "You have no right to read this file"
        case .limitExceeded: "This picture is too large"
        case .cannotFindHost: "This server is not known: check the address, and the network"
        case .cannotConnect, .connectionLost: "The connection to the server has failed"
        case .timedOut: "The server does not answer"
        case .secureConnectionFailed: "There is no secure connection to the server"
        case .invalidDownloadStatusCode: Self.sentence(status: statusCode ?? 0)
        default: reason
        }
    }

    private static func sentence(status: Int) -> String {
        switch status {
        case 401, 403: "The server does not give this picture away"
        case 404, 410: "The server has no such picture"
        case 429, 503: "The server is busy"
        default: "The server has answered with the error \(status)"
        }
    }
}
