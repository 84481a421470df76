import CCurl
import FoundationEssentials
import Glibc
import WebImageCore

/// One request on one easy handle, and its response. Belongs to the transfer thread.
///
/// libcurl has an unretained pointer to it from ``start(in:connectTimeout:priority:cookieJar:)`` until ``stop()``; its transfer
/// retains it for that time.
final class CurlExchange: HTTPExchange {
    private let handle: CurlHandle
    private let headers: CurlHeaderList
    private let request: OutgoingRequest
    private let config: WebImageDownloaderConfig
    private let allowsInvalidCertificates: Bool
    private unowned let transfer: HTTPTransfer
    private var multi: CurlMulti?
    private var heads = HTTPHeadParser()
    private var headByteCount = 0
    private var hasHead = false
    /// The time of the first look-up of the host, or of the first socket, for this request; before, it may wait for a free
    /// connection.
    private var connectingSince: SuspendingClock.Instant?
    private var connectTimeout = Duration.zero
    private var hasConnected = false
    private var lastWeight = 0
    /// `errno` of the last socket that could not be made.
    private var socketError: Int32 = 0
    /// Whether an address of the host was refused.
    private var hasDenied = false

    init(_ transfer: HTTPTransfer, _ load: PreparedLoad, headers: CurlHeaderList, config: WebImageDownloaderConfig)
        throws(WebImageError)
    {
        handle = try CurlHandle()
        self.transfer = transfer
        self.headers = headers
        self.config = config
        request = transfer.request
        allowsInvalidCertificates = load.key.allowsInvalidCertificates
    }

    // MARK: The exchange

    var head: ReceivedHead? {
        guard handle.statusCode >= 200 else { return nil }
        let response = HTTPResponse(url: request.url, statusCode: handle.statusCode, headers: heads.fields())
        return ReceivedHead(response: response, expectedByteCount: handle.contentLength)
    }

    /// After a challenge, libcurl may repeat the request with a credential. A tunnel's answer has no status here.
    var isHeadFinal: Bool {
        guard hasHead else { return false }
        switch handle.statusCode {
        case ..<200, 401, 407: return false
        default: return true
        }
    }

    var wireByteCount: Int? { handle.wireByteCount }

    var metrics: TransferMetrics? { handle.metrics(hasConnection: hasConnected) }

    func setPriority(_ priority: LoadPriority) {
        guard request.url.hasScheme("https"), priority.streamWeight != lastWeight else { return }
        lastWeight = priority.streamWeight
        try? handle.set(CURLOPT_STREAM_WEIGHT, lastWeight)
    }

    func stop() {
        multi?.remove(handle)
        multi = nil
    }

    /// Whether the body of a challenge, which libcurl reads without a report, is longer than anything of use.
    func endsEndlessChallenge() -> Bool {
        guard hasHead, !isHeadFinal, handle.statusCode >= 400 else { return false }
        return handle.wireByteCount > HTTPTransfer.largestDiscardedBody
    }

    func receiveNews() -> ExchangeEnd? {
        multi?.takeResult(of: transfer.number).map { result in
            ExchangeEnd(
                error: failure(result), wasCutShort: wasCutShort(result), hasTriedToConnect: connectingSince != nil)
        }
    }

    /// Whether it has failed after less than half of its time for connecting, because libcurl 8.8 and newer count the wait
    /// for a free connection, too.
    private func wasCutShort(_ result: CURLcode) -> Bool {
        guard result == CURLE_OPERATION_TIMEDOUT, !hasConnected else { return false }
        return connectingSince.map { $0.duration(to: .now) < connectTimeout / 2 } ?? true
    }

    /// The meaning of libcurl's `result`; nil for a complete response.
    private func failure(_ result: CURLcode) -> WebImageError? {
        // libcurl takes the end of the connection within a head for the end of an empty body.
        let result = result == CURLE_OK && !hasHead ? CURLE_RECV_ERROR : result
        guard result != CURLE_OK else { return nil }
        if hasDenied, result == CURLE_COULDNT_CONNECT || result == CURLE_ABORTED_BY_CALLBACK {
            return .privateAddress(request.url)
        }
        return TransferFailure(
            result: result, message: handle.errorMessage, url: request.url, socketError: socketError,
            stage: !hasConnected ? .connecting : hasHead ? .body : .head, progress: transfer.progress, config: config
        ).error
    }

    // MARK: Events

    /// False to give up the transfer.
    private func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        headByteCount += line.count
        guard headByteCount <= ReceivedHead.largestByteCount else {
            transfer.refuse(.headTooLarge(limit: ReceivedHead.largestByteCount))
            return false
        }
        // Trailers must not change the head that was accepted (RFC 9110 §6.5.1).
        if !transfer.hasHead { hasHead = heads.append(line: line) }
        guard !heads.hasBadStatus else {
            transfer.refuse(.badStatusLine(String(decoding: line.prefix { $0 >= UInt8(ascii: " ") }, as: UTF8.self)))
            return false
        }
        // Interim answers are no progress: a server may send them for ever.
        if !heads.isInterim { transfer.receiveHeadBytes(line.count) }
        return true
    }

    private func connectionBegins() { connectingSince = connectingSince ?? .now }

    /// False to give up the transfer: a connection that is there may have been made under other settings.
    private func connectionStood(to address: UnsafePointer<CChar>?) -> Bool {
        if config.deniesPrivateAddresses {
            hasDenied = address.flatMap { NetworkAddress(String(cString: $0)) }?.isPublic != true
            guard !hasDenied else { return false }
        }
        hasConnected = true
        transfer.connectionStood()
        return true
    }

    private func openSocket(_ address: UnsafePointer<curl_sockaddr>) -> curl_socket_t {
        connectionBegins()
        if config.deniesPrivateAddresses, NetworkAddress(of: address)?.isPublic != true {
            hasDenied = true
            return webimage_curl_no_socket
        }
        let (family, type) = (address.pointee.family, address.pointee.socktype)
        // A program that is started meanwhile must not inherit the connection.
        let descriptor = socket(family, type | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
        if descriptor < 0 { socketError = errno } else { multi?.connections.add(descriptor) }
        return descriptor
    }
}

// MARK: - The handle

extension CurlExchange {
    /// Configures the handle for the request, and starts it.
    func start(
        in multi: CurlMulti, connectTimeout: Duration, priority: LoadPriority, cookieJar: CurlCookieJar?
    ) throws(WebImageError) {
        try handle.set(CURLOPT_NOSIGNAL, 1)
        try handle.set(CURLOPT_BUFFERSIZE, config.receiveBufferSize)
        self.connectTimeout = connectTimeout
        try handle.set(CURLOPT_CONNECTTIMEOUT_MS, Int(max(1, min(connectTimeout.seconds * 1000, Double(Int32.max)))))
        try setAddress()
        setPriority(priority)
        try setContent()
        try setTrust()
        try handle.set(request.credential)
        if let cookieJar { try handle.use(cookieJar) }
        if let proxy = config.proxy { try handle.set(CURLOPT_PROXY, proxy) }
        try setCallbacks()
        try multi.add(handle, number: transfer.number)
        self.multi = multi
    }

    private func setAddress() throws(WebImageError) {
        try handle.set(CURLOPT_URL, request.address)
        // Redirects are followed by new exchanges: libcurl reads their bodies without any limit.
        try handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
        try handle.set(
            CURLOPT_HTTP_VERSION, config.assumesHTTP2 ? webimage_curl_http_2_at_once : webimage_curl_http_2_over_tls)
        guard request.url.hasScheme("https") else { return }
        // Prefers to wait for a connection that is being made. Over plain http there is nothing to share, and waiting
        // would only delay the requests.
        try handle.set(CURLOPT_PIPEWAIT, 1)
    }

    private func setContent() throws(WebImageError) {
        try handle.set(method: request.method, body: request.body)
        try handle.set(headers: headers)
        // For proxies with tunnels, which get no other field; the list above has precedence over it.
        try handle.set(CURLOPT_USERAGENT, config.userAgent.isEmpty ? nil : config.userAgent)
        try handle.set(CURLOPT_ACCEPT_ENCODING, request.decodesContent ? "" : nil)
    }

    /// libcurl keeps connections and sessions with other trust settings apart.
    private func setTrust() throws(WebImageError) {
        if let file = config.caCertificateFile {
            try handle.set(CURLOPT_CAINFO, file)
            try handle.set(CURLOPT_CAPATH, nil)
        }
        try setKeys()
        guard allowsInvalidCertificates else { return }
        try handle.set(CURLOPT_SSL_VERIFYPEER, 0)
        try handle.set(CURLOPT_SSL_VERIFYHOST, 0)
    }

    /// The keys of this host, and no others: after a redirect it is another one.
    private func setKeys() throws(WebImageError) {
        guard !config.pinnedPublicKeys.isEmpty || !config.clientCertificates.isEmpty,
            let host = request.url.host()
        else { return }
        if let keys = config.pinnedPublicKeys.value(forHost: host) {
            // An empty set allows no key.
            let text = keys.isEmpty ? "sha256//" : keys.sorted().joined(separator: ";")
            try handle.set(CURLOPT_PINNEDPUBLICKEY, text)
        }
        if let certificate = config.clientCertificates.value(forHost: host) {
            try handle.set(CURLOPT_SSLCERT, certificate.certificateFile)
            try handle.set(CURLOPT_SSLKEY, certificate.keyFile)
            if let password = certificate.keyPassword { try handle.set(CURLOPT_KEYPASSWD, password) }
        }
    }

    private static func exchange(at context: UnsafeMutableRawPointer) -> CurlExchange {
        Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
    }

    /// - Returns: The number of bytes taken: libcurl ends a transfer if it is less than given.
    private static func receive(
        _ bytes: UnsafePointer<CChar>?, _ count: Int, by context: UnsafeMutableRawPointer?,
        _ body: (CurlExchange, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard let context else { return 0 }
        return body(exchange(at: context), UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
    }

    private func setCallbacks() throws(WebImageError) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        try handle.set(CURLOPT_WRITEDATA, pointer: context)
        try handle.set(CURLOPT_WRITEFUNCTION) {
            CurlExchange.receive($0, $1 * $2, by: $3) { $0.transfer.receiveBody($1) }
        }
        try handle.set(CURLOPT_HEADERDATA, pointer: context)
        try handle.set(CURLOPT_HEADERFUNCTION) {
            CurlExchange.receive($0, $1 * $2, by: $3) { $0.receiveHeader($1) }
        }
        try handle.set(CURLOPT_PREREQDATA, pointer: context)
        try handle.set(requestCallback: { context, address, _, _, _ in
            guard let context, CurlExchange.exchange(at: context).connectionStood(to: address) else {
                return webimage_curl_request_abort
            }
            return webimage_curl_request_ok
        })
        try handle.set(CURLOPT_RESOLVER_START_DATA, pointer: context)
        try handle.set(resolverCallback: { _, _, context in
            if let context { CurlExchange.exchange(at: context).connectionBegins() }
            return 0
        })
        try handle.set(CURLOPT_OPENSOCKETDATA, pointer: context)
        try handle.set(socketCallback: { context, _, address in
            guard let context, let address else { return webimage_curl_no_socket }
            return CurlExchange.exchange(at: context).openSocket(address)
        })
    }
}

extension NetworkAddress {
    /// The address that libcurl is about to connect to. Its bytes go on after the structure that libcurl declares.
    fileprivate init?(of address: UnsafePointer<curl_sockaddr>) {
        let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0
        self.init((UnsafeRawPointer(address) + offset).assumingMemoryBound(to: sockaddr.self))
    }
}

extension WebImageDownloaderConfig {
    /// The downloader pays by a pause for what it has read at once, and the pause should be short: libcurl reads up to
    /// a hundred times before it returns.
    fileprivate var receiveBufferSize: Int {
        let largest = 128 << 10
        return maximumBytesPerSecond.map { min(largest, max(1 << 10, $0 / 800)) } ?? largest
    }
}
