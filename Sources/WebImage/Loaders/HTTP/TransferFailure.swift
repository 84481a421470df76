import CCurl
import FoundationEssentials

/// libcurl's report about a failed transfer, and its meaning.
struct TransferFailure {
    let result: CURLcode
    /// libcurl's message; may be empty.
    let message: String
    /// The address of the last request, after redirects.
    let address: String
    /// The target of the last redirect; nil when the response was none.
    let location: String?
    let receivedByteCount: Int
    let expectedByteCount: Int?
    let config: WebImageDownloaderConfig

    var error: WebImageError {
        switch result {
        case CURLE_URL_MALFORMAT:
            .invalidAddress("no request can be sent to this address (\(detail)); check host and port")
        case CURLE_UNSUPPORTED_PROTOCOL: unsupportedProtocol
        case CURLE_TOO_MANY_REDIRECTS:
            failed(
                .tooManyRedirects, .permanent,
                "redirected more than \(config.maxRedirectCount) times, last to \(address.abbreviated(to: 100)); "
                    + "check the server or raise maxRedirectCount")
        case CURLE_OUT_OF_MEMORY: .noMemoryForBody(expectedByteCount ?? receivedByteCount)
        case CURLE_FILESIZE_EXCEEDED: .bodyTooLarge(nil, limit: config.maximumBodyByteCount)
        case CURLE_WEIRD_SERVER_REPLY: notHTTP
        case CURLE_BAD_CONTENT_ENCODING:
            failed(
                .invalidDownloadResponse, .permanent,
                "the body's Content-Encoding cannot be decoded (\(detail)); check the server")
        case CURLE_BAD_FUNCTION_ARGUMENT, CURLE_UNKNOWN_OPTION, CURLE_NOT_BUILT_IN, CURLE_FAILED_INIT:
            .curl("libcurl cannot make the request: \(detail)")
        default:
            connectionError ?? securityError
                ?? failed(.transferFailed, .transient, "the transfer from \(place) failed: \(detail)")
        }
    }

    private var connectionError: WebImageError? {
        switch result {
        case CURLE_COULDNT_RESOLVE_HOST:
            failed(
                .cannotFindHost, .transient,
                "no address is known for the host \(host); check the name and the network")
        case CURLE_COULDNT_RESOLVE_PROXY:
            failed(
                .cannotFindHost, .transient,
                "no address is known for the proxy; check the proxy setting or http_proxy (\(detail))")
        case CURLE_COULDNT_CONNECT:
            failed(.cannotConnect, .transient, "nothing answers at \(place); check that the server is running")
        case CURLE_PROXY: failed(.cannotConnect, .transient, "the proxy does not connect: \(detail)")
        case CURLE_OPERATION_TIMEDOUT:
            failed(.timedOut, .transient, "no connection to \(place) came about in time; try again later")
        case CURLE_GOT_NOTHING:
            lost("\(place) closed the connection without an answer")
        case CURLE_PARTIAL_FILE, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            lost("the connection to \(place) ended \(progressText)")
        default: nil
        }
    }

    private var securityError: WebImageError? {
        switch result {
        case CURLE_SSL_CONNECT_ERROR:
            failed(
                .secureConnectionFailed, .transient,
                "\(place) did not agree on a secure connection (\(detail)); check that it speaks https")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            failed(
                .secureConnectionFailed, .permanent,
                "the certificate of \(place) is not trusted (\(detail)); check it, or name its authority in "
                    + "caCertificateFile")
        case CURLE_SSL_CACERT_BADFILE:
            failed(
                .secureConnectionFailed, .permanent,
                "the certificate authorities cannot be read"
                    + (config.caCertificateFile.map { " from \($0); check the file" } ?? " (\(detail))"))
        case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_INITFAILED:
            failed(.secureConnectionFailed, .permanent, "no secure connection to \(place): \(detail)")
        default: nil
        }
    }

    /// libcurl has one code for schemes that may not be followed and for HTTP/0.9 responses.
    private var unsupportedProtocol: WebImageError {
        let targets = [location, address].compactMap { $0 }
        guard let target = targets.first(where: isForeign) else { return notHTTP }
        return failed(
            .unsupportedScheme, .permanent,
            "redirected to \(target.abbreviated(to: 100)); only http and https are followed")
    }

    private func isForeign(_ address: String) -> Bool {
        guard let url = URL(string: address), url.scheme != nil else { return false }
        return !url.hasScheme("http", "https")
    }

    private var notHTTP: WebImageError {
        failed(
            .invalidDownloadResponse, .permanent,
            "the answer of \(place) is not HTTP; check the port and whether it requires https")
    }

    private func lost(_ what: String) -> WebImageError {
        failed(.connectionLost, .transient, "\(what); try again")
    }

    private func failed(_ code: WebImageError.Code, _ kind: WebImageError.Kind, _ reason: String) -> WebImageError {
        WebImageError(code, stage: .load, kind: kind, reason: reason)
    }

    private var detail: String {
        let text = message.isEmpty ? String(cString: curl_easy_strerror(result)) : message
        return text.abbreviated(to: 200)
    }

    private var progressText: String {
        guard receivedByteCount > 0 || expectedByteCount != nil else { return "before the answer came" }
        guard let expectedByteCount else { return "after \(receivedByteCount) bytes, before the end of the body" }
        return "after \(receivedByteCount) of \(expectedByteCount) bytes"
    }

    private var host: String { URL(string: address)?.host() ?? address.abbreviated(to: 100) }

    private var place: String {
        let url = URL(string: address)
        return "\(host) port \(url?.port ?? (url?.scheme == "https" ? 443 : 80))"
    }
}
