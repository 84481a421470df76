import CCurl
import FoundationEssentials

/// One request on one easy handle, and its response. Belongs to the transfer thread.
///
/// libcurl has an unretained pointer to it from ``prepare(connectTimeout:weight:cookieJar:)`` until the handle has left
/// the multi handle; its owner retains it for that time.
final class HTTPTransfer {
    let handle: CurlHandle
    /// True from the time of the connection on; before that the idle time is not counted, since libcurl may let the
    /// request wait for a free connection.
    private(set) var isConnected = false
    /// The time of the last byte, or of the connection.
    private(set) var lastActivity: SuspendingClock.Instant
    private let load: PreparedLoad
    private let config: WebImageDownloaderConfig
    private let headers: CurlHeaderList
    private var head = HTTPHeadParser()
    private var response: HTTPResponse?
    private var rejection: WebImageError?
    private var body = BodyBuffer()
    private var expectedByteCount: Int?
    private var discardedByteCount = 0
    private var headByteCount = 0
    private var hasActivity = false
    private var hasHead = false

    /// The body of a refused response is read up to this size, which keeps the connection for the next request; for
    /// more, closing the connection is cheaper.
    private static let largestDiscardedBody = 64 << 10

    /// The limit for all heads of one transfer together, trailers included. Some versions of libcurl have a limit of
    /// 300 KiB, others none.
    static let largestHead = 256 << 10

    /// The request of `load`.
    init(
        _ load: PreparedLoad, handle: CurlHandle, headers: CurlHeaderList, config: WebImageDownloaderConfig,
        now: SuspendingClock.Instant
    ) {
        self.load = load
        self.handle = handle
        self.headers = headers
        self.config = config
        lastActivity = now
    }

    /// The progress, if bytes have arrived since the last call.
    func takeNews(at now: SuspendingClock.Instant) -> LoadProgress? {
        guard hasActivity else { return nil }
        hasActivity = false
        lastActivity = now
        // Only a success is certain to be the last response: after any other code, a redirect may follow.
        if hasHead, response == nil, (200..<300).contains(handle.statusCode) { judgeHead() }
        return isAccepted ? progress : nil
    }

    private var isAccepted: Bool { response != nil && rejection == nil }

    var progress: LoadProgress { LoadProgress(receivedByteCount: body.count, expectedByteCount: expectedByteCount) }

    /// The bytes of the body so far, from `offset` on; empty for a response that is refused, or may still be.
    func receivedData(from offset: Int) -> Data { isAccepted ? body.data(from: offset) : Data() }

    /// The result of the finished transfer.
    func outcome(_ result: CURLcode) -> Result<ImageLoadResponse, WebImageError> {
        if response == nil, result == CURLE_OK { judgeHead() }
        if let error = rejection ?? (result == CURLE_OK ? nil : failure(result)) { return fail(error) }
        guard body.count > 0 else { return fail(.emptyBody) }
        var answer = ImageLoadResponse(data: body.takeData(), http: response)
        answer.sent = load.sentRequest
        return .success(answer)
    }

    private func fail(_ error: WebImageError) -> Result<ImageLoadResponse, WebImageError> {
        var error = error
        error.response = response
        error.statusCode = response?.statusCode
        return .failure(error)
    }

    private func failure(_ result: CURLcode) -> WebImageError {
        TransferFailure(
            result: result, message: handle.errorMessage, address: handle.effectiveURL ?? load.key.url,
            location: (300..<400).contains(handle.statusCode) ? head.fields()["location"] : nil,
            receivedByteCount: body.count, expectedByteCount: expectedByteCount, config: config
        ).error
    }

    private func judgeHead() {
        let answer = receivedHead()
        // The announced length does not describe a body that libcurl decodes.
        expectedByteCount = answer.isEncoded ? nil : handle.contentLength
        guard let judged = modified(answer) else {
            response = answer
            rejection = .refusedByResponseModifier
            return
        }
        response = judged
        rejection = config.rejection(of: judged, toRequestForPart: headers.namesRange) ?? makeRoomForBody()
    }

    private func modified(_ answer: HTTPResponse) -> HTTPResponse? {
        guard let modifier = load.responseModifier else { return answer }
        guard var modified = modifier.modify(answer) else { return nil }
        modified.headers = modified.headers.withLowercasedNames
        return modified
    }

    private func receivedHead() -> HTTPResponse {
        let isRedirected = handle.redirectCount > 0
        return HTTPResponse(
            url: isRedirected ? handle.effectiveURL.flatMap { URL(string: $0) } ?? load.url : load.url,
            statusCode: handle.statusCode, headers: head.fields())
    }

    private func makeRoomForBody() -> WebImageError? {
        guard let expectedByteCount else { return nil }
        guard expectedByteCount <= config.maximumBodyByteCount else {
            return .bodyTooLarge(expectedByteCount, limit: config.maximumBodyByteCount)
        }
        return body.reserve(expectedByteCount) ? nil : .noMemoryForBody(expectedByteCount)
    }

    /// False to give up the transfer.
    private func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        hasActivity = true
        headByteCount += line.count
        guard headByteCount <= Self.largestHead else {
            rejection = .headTooLarge(limit: Self.largestHead)
            return false
        }
        // Trailers must not change the head that was accepted (RFC 9110 §6.5.1).
        if response == nil { hasHead = head.append(line: line) }
        return true
    }

    /// False to give up the transfer.
    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        hasActivity = true
        if response == nil { judgeHead() }
        guard rejection == nil else { return discard(bytes.count) }
        guard bytes.count <= config.maximumBodyByteCount - body.count else {
            rejection = .bodyTooLarge(nil, limit: config.maximumBodyByteCount)
            return false
        }
        guard body.append(bytes) else {
            rejection = .noMemoryForBody(body.count + bytes.count)
            return false
        }
        return true
    }

    private func discard(_ byteCount: Int) -> Bool {
        discardedByteCount += byteCount
        return discardedByteCount <= Self.largestDiscardedBody && rejection?.code != .limitExceeded
    }
}

extension HTTPTransfer {
    /// Configures the handle for the request.
    ///
    /// - Parameters:
    ///   - connectTimeout: Seconds.
    ///   - weight: The share of an HTTP/2 connection, 1 to 256.
    ///   - cookieJar: nil for a load without cookies.
    func prepare(connectTimeout: Duration, weight: Int, cookieJar: CurlCookieJar?) throws(WebImageError) {
        try handle.set(CURLOPT_NOSIGNAL, 1)
        try handle.set(CURLOPT_BUFFERSIZE, 128 << 10)
        try handle.set(CURLOPT_CONNECTTIMEOUT_MS, Int(max(1, min(connectTimeout.seconds * 1000, Double(Int32.max)))))
        try setAddress(weight: weight)
        try setContent()
        try setTrust()
        try handle.set(load.key.credential)
        if let cookieJar { try handle.use(cookieJar) }
        if let proxy = config.proxy { try handle.set(CURLOPT_PROXY, proxy) }
        try setCallbacks()
    }

    private func setAddress(weight: Int) throws(WebImageError) {
        try handle.set(CURLOPT_URL, load.key.url)
        try handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
        try handle.set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        try handle.set(CURLOPT_FOLLOWLOCATION, 1)
        try handle.set(CURLOPT_MAXREDIRS, config.maxRedirectCount)
        try handle.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        guard load.url.hasScheme("https") else { return }
        // Prefers to wait for a connection that is being made. Over plain http there is nothing to share, and waiting
        // would only delay the requests.
        try handle.set(CURLOPT_PIPEWAIT, 1)
        try handle.set(CURLOPT_STREAM_WEIGHT, weight)
    }

    private func setContent() throws(WebImageError) {
        try handle.set(method: load.key.method, body: load.key.body)
        try handle.set(headers: headers)
        // For proxies with tunnels, which get no other field; the list above has precedence over it.
        try handle.set(CURLOPT_USERAGENT, config.userAgent.isEmpty ? nil : config.userAgent)
        try handle.set(CURLOPT_ACCEPT_ENCODING, "")
    }

    /// libcurl keeps connections and sessions with other trust settings apart.
    private func setTrust() throws(WebImageError) {
        if let file = config.caCertificateFile {
            try handle.set(CURLOPT_CAINFO, file)
            try handle.set(CURLOPT_CAPATH, nil)
        }
        guard load.key.allowsInvalidCertificates else { return }
        try handle.set(CURLOPT_SSL_VERIFYPEER, 0)
        try handle.set(CURLOPT_SSL_VERIFYHOST, 0)
    }

    /// - Returns: The number of bytes taken: libcurl ends a transfer if it is less than given.
    private static func receive(
        _ bytes: UnsafePointer<CChar>?, _ count: Int, by context: UnsafeMutableRawPointer?,
        _ body: (HTTPTransfer, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard let context else { return 0 }
        let transfer = Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
        return body(transfer, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
    }

    private func setCallbacks() throws(WebImageError) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        try handle.set(CURLOPT_WRITEDATA, pointer: context)
        try handle.set(CURLOPT_WRITEFUNCTION) { HTTPTransfer.receive($0, $1 * $2, by: $3) { $0.receiveBody($1) } }
        try handle.set(CURLOPT_HEADERDATA, pointer: context)
        try handle.set(CURLOPT_HEADERFUNCTION) { HTTPTransfer.receive($0, $1 * $2, by: $3) { $0.receiveHeader($1) } }
        try handle.set(CURLOPT_PREREQDATA, pointer: context)
        try handle.set { context, _, _, _, _ in
            guard let context else { return CURL_PREREQFUNC_ABORT }
            Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue().connectionStood()
            return CURL_PREREQFUNC_OK
        }
    }

    private func connectionStood() {
        isConnected = true
        hasActivity = true
    }
}
