import CCurl
import FoundationEssentials
import Glibc
import WebImageCore

/// libcurl's report about a failed exchange, and its meaning.
struct TransferFailure {
    /// How far the exchange had come.
    enum Stage {
        case connecting
        /// The connection stood, and no head was complete.
        case head
        case body
    }

    let result: CURLcode
    /// libcurl's message; may be empty.
    let message: String
    /// The address of the request.
    let url: URL
    /// `errno` of the last socket that could not be made; 0 for none.
    let socketError: Int32
    let stage: Stage
    let progress: LoadProgress
    let config: WebImageDownloaderConfig

    var error: WebImageError {
        switch result {
        case CURLE_URL_MALFORMAT:
            .invalidAddress("no request can be sent to this address (\(detail)); check host and port")
        // HTTP/0.9; the scheme was checked before.
        case CURLE_UNSUPPORTED_PROTOCOL: notHTTP
        case CURLE_OUT_OF_MEMORY: outOfMemory
        case webimage_curl_too_large where stage == .head:
            message.contains("Too many") ? .tooManyHeaderFields(detail) : .headTooLarge(limit: Self.longestLine)
        case CURLE_FILESIZE_EXCEEDED: .bodyTooLarge(nil, limit: config.maximumBodyByteCount)
        case CURLE_WEIRD_SERVER_REPLY: stage == .connecting || message.isEmpty ? notHTTP : badHead
        case CURLE_BAD_CONTENT_ENCODING:
            failed(
                .invalidDownloadResponse, .permanent,
                "the body's Content-Encoding cannot be decoded (\(detail)); check the server")
        case CURLE_BAD_FUNCTION_ARGUMENT, CURLE_UNKNOWN_OPTION, CURLE_NOT_BUILT_IN, CURLE_FAILED_INIT:
            .curl("libcurl cannot make the request: \(detail)")
        default:
            descriptorError ?? connectionError ?? securityError
                ?? failed(.transferFailed, .transient, "the transfer from \(place) failed: \(detail)")
        }
    }

    /// libcurl blames the server or the network when the process cannot open another socket or file.
    private var descriptorError: WebImageError? {
        let isSuspect =
            switch result {
            case CURLE_COULDNT_CONNECT: socketError == EMFILE || socketError == ENFILE
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_SSL_CACERT_BADFILE: true
            default: false
            }
        return isSuspect && !FileDescriptors.areFree ? .noFileDescriptor : nil
    }

    /// The versions of libcurl without an error of its own for long lines call them a lack of memory.
    private var outOfMemory: WebImageError {
        stage == .head
            ? .headTooLarge(limit: Self.longestLine)
            : .noMemoryForBody(progress.expectedByteCount ?? progress.receivedByteCount)
    }

    /// libcurl's DYN_H1_HEADER or DYN_HTTP_REQUEST: 100 KiB.
    private static let longestLine = 100 << 10

    private var connectionError: WebImageError? {
        switch result {
        case CURLE_RECV_ERROR where message.contains("chunk"):
            failed(
                .invalidDownloadResponse, .transient,
                "the chunks of the body are broken (\(detail)); try again, or check the server")
        // Each look-up has a thread of its own.
        case CURLE_COULDNT_RESOLVE_HOST where message.contains("thread failed to start"): .noThread(detail)
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
        case CURLE_PROXY: refusedByProxy
        // A refused tunnel has no code of its own.
        case CURLE_RECV_ERROR where message.contains("CONNECT"): refusedByProxy
        case CURLE_OPERATION_TIMEDOUT:
            failed(.timedOut, .transient, "no connection to \(place) came about in time; try again later")
        case CURLE_GOT_NOTHING:
            lost("\(place) closed the connection without an answer")
        case CURLE_HTTP2, CURLE_HTTP2_STREAM:
            // The message has the code of the reset, or what was wrong with a frame.
            lost("the HTTP/2 stream from \(place) ended \(progressText) (\(detail))")
        case CURLE_PARTIAL_FILE, CURLE_SEND_ERROR, CURLE_RECV_ERROR:
            lost("the connection to \(place) ended \(progressText)")
        default: nil
        }
    }

    private var refusedByProxy: WebImageError {
        failed(.cannotConnect, .transient, "the proxy does not connect: \(detail)")
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
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            failed(
                .secureConnectionFailed, .permanent,
                "the public key of \(place) is not among pinnedPublicKeys; check whose server it is")
        case CURLE_SSL_CACERT_BADFILE:
            failed(
                .secureConnectionFailed, .permanent,
                "the certificate authorities cannot be read"
                    + (config.caCertificateFile.map { " from \($0); check the file" } ?? " (\(detail))"))
        case CURLE_SSL_CERTPROBLEM where certificate != nil:
            failed(
                .secureConnectionFailed, .permanent,
                "the client certificate in \(certificate ?? "") cannot be used (\(detail)); check the file, its key and "
                    + "the key's password")
        case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_INITFAILED:
            failed(.secureConnectionFailed, .permanent, "no secure connection to \(place): \(detail)")
        default: nil
        }
    }

    private var badHead: WebImageError {
        failed(
            .invalidDownloadResponse, .permanent,
            "the head of the answer from \(place) is not HTTP (\(detail)); check the server")
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
        switch (stage, progress.expectedByteCount) {
        case (.connecting, _), (.head, _): "before the answer came"
        case (.body, let expected?): "after \(progress.receivedByteCount) of \(expected) bytes"
        case (.body, nil): "after \(progress.receivedByteCount) bytes, before the end of the body"
        }
    }

    /// The file of the client certificate for the host.
    private var certificate: String? {
        url.host().flatMap { config.clientCertificates.value(forHost: $0)?.certificateFile }
    }

    private var host: String { url.host(percentEncoded: false) ?? url.abbreviated }

    private var place: String { "\(host) port \(url.effectivePort)" }
}
