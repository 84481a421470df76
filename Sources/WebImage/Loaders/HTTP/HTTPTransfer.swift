import CCurl
import FoundationEssentials

/// One request on one easy handle, and what has come of its answer. Lives on the transfer thread.
///
/// libcurl holds an unretained pointer to it from ``prepare(connectTimeout:weight:cookieJar:)`` until the handle has left
/// the multi handle; its owner keeps it for as long.
final class HTTPTransfer {
    let handle: CurlHandle
    /// True from the moment a connection stood; before that the clock of idleness does not run, since libcurl may make
    /// the request wait for a connection to come free.
    private(set) var isConnected = false
    /// When the last byte came, or the connection stood.
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

    /// The body of a refused answer is read up to here, which keeps the connection for the next request; beyond, giving
    /// the connection up is cheaper.
    private static let largestDiscardedBody = 64 << 10

    /// All heads of one transfer together, trailers included. Some versions of libcurl have a limit of 300 KiB, others
    /// none.
    static let largestHead = 256 << 10

    /// A request for what `load` asks.
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

    /// How far things are, if anything has come since it was asked last.
    func takeNews(at now: SuspendingClock.Instant) -> LoadProgress? {
        guard hasActivity else { return nil }
        hasActivity = false
        lastActivity = now
        // Only a success is known to be the last answer: others may be followed by what a redirect leads to.
        if hasHead, response == nil, (200..<300).contains(handle.statusCode) { judgeHead() }
        return isAccepted ? progress : nil
    }

    private var isAccepted: Bool { response != nil && rejection == nil }

    var progress: LoadProgress { LoadProgress(receivedByteCount: body.count, expectedByteCount: expectedByteCount) }

    /// The bytes of the body that have come, from `offset` on; none of an answer that is refused, or may yet be.
    func receivedData(from offset: Int) -> Data { isAccepted ? body.data(from: offset) : Data() }

    /// What came of it in the end.
    func outcome(_ result: CURLcode) -> Result<ImageLoadResponse, WebImageError> {
        if response == nil, result == CURLE_OK { judgeHead() }
        if let error = rejection ?? (result == CURLE_OK ? nil : failure(result)) { return fail(error) }
        guard body.count > 0 else { return fail(.emptyBody) }
        return .success(ImageLoadResponse(data: body.takeData(), http: response))
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
        // The length on the wire says nothing about a body that libcurl unpacks.
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

    /// False to give the transfer up.
    private func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        hasActivity = true
        headByteCount += line.count
        guard headByteCount <= Self.largestHead else {
            rejection = .headTooLarge(limit: Self.largestHead)
            return false
        }
        // What follows the body must not change the head that it was judged by (RFC 9110 §6.5.1).
        if response == nil { hasHead = head.append(line: line) }
        return true
    }

    /// False to give the transfer up.
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
    /// Sets the handle up for the request.
    ///
    /// - Parameters:
    ///   - connectTimeout: Seconds.
    ///   - weight: The share of an HTTP/2 connection, 1 to 256.
    ///   - cookieJar: nil for a load without cookies.
    func prepare(connectTimeout: Double, weight: Int, cookieJar: CurlCookieJar?) throws(WebImageError) {
        try handle.set(CURLOPT_NOSIGNAL, 1)
        try handle.set(CURLOPT_BUFFERSIZE, 128 << 10)
        try handle.set(CURLOPT_CONNECTTIMEOUT_MS, Int(max(1, min(connectTimeout * 1000, Double(Int32.max)))))
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
        // Rather share a connection that is still being made than make another. Over plain http there is nothing to
        // share, and waiting would only put requests one after the other.
        try handle.set(CURLOPT_PIPEWAIT, 1)
        try handle.set(CURLOPT_STREAM_WEIGHT, weight)
    }

    private func setContent() throws(WebImageError) {
        try handle.set(method: load.key.method, body: load.key.body)
        try handle.set(headers: headers)
        // For proxies that make tunnels, which hear of no other field; the list above goes before it.
        try handle.set(CURLOPT_USERAGENT, config.userAgent.isEmpty ? nil : config.userAgent)
        try handle.set(CURLOPT_ACCEPT_ENCODING, "")
    }

    /// libcurl keeps connections and sessions that were made on other terms apart.
    private func setTrust() throws(WebImageError) {
        if let file = config.caCertificateFile {
            try handle.set(CURLOPT_CAINFO, file)
            try handle.set(CURLOPT_CAPATH, nil)
        }
        guard load.key.allowsInvalidCertificates else { return }
        try handle.set(CURLOPT_SSL_VERIFYPEER, 0)
        try handle.set(CURLOPT_SSL_VERIFYHOST, 0)
    }

    /// - Returns: How much was taken: libcurl ends a transfer that does not take all.
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
