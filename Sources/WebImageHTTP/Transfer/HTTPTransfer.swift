import FoundationEssentials
import WebImageCore

/// One exchange of a load, and its response as far as it has arrived. Belongs to the transfer thread.
///
/// The rules of the downloader are here, whatever performs the exchange: which response is accepted, followed or
/// refused, and how large it may be.
final class HTTPTransfer {
    /// Unique among the exchanges of the downloader.
    let number: UInt64
    let request: OutgoingRequest
    /// Set once, before the first event.
    var exchange: (any HTTPExchange)?
    private(set) var patience: TransferPatience
    private let load: PreparedLoad
    private let config: WebImageDownloaderConfig
    private var verdict = Verdict.pending
    private var response: HTTPResponse?
    /// The response as the server sent it, before a response modifier; nil before its head.
    private(set) var receivedResponse: HTTPResponse?
    private var body = BodyBuffer()
    private var expectedByteCount: Int?
    private var isEncoded = false
    private var discardedByteCount = 0
    private var receivedByteCount = 0
    private var notedByteCount = 0
    private var hasActivity = false
    private var hasConnected = false
    private var copies: PartialBodySchedule
    /// Of a body that goes on after a beginning: the bytes with which it is whole, which the server has announced.
    private var joinedByteCount: Int?

    /// The decision about a response.
    private enum Verdict {
        case pending
        case accepted
        case redirect
        case restart
        case refused(WebImageError)
    }

    /// The body of a response that is refused or followed is read up to this size, which keeps the connection for the
    /// next request; for more, closing the connection is cheaper.
    static let largestDiscardedBody = 64 << 10

    init(
        _ load: PreparedLoad, request: OutgoingRequest, number: UInt64, config: WebImageDownloaderConfig,
        patience: TransferPatience
    ) {
        self.load = load
        self.request = request
        self.number = number
        self.config = config
        self.patience = patience
        copies = PartialBodySchedule(interval: config.partialBodyInterval, now: patience.start)
    }

    /// The progress, if something has arrived since the last call.
    func takeNews(at now: SuspendingClock.Instant) -> LoadProgress? {
        guard hasActivity else { return nil }
        hasActivity = false
        if hasConnected, !patience.isConnected { patience.connectionStood(at: now) }
        patience.noteActivity(at: now, byteCount: receivedByteCount)
        if case .pending = verdict, exchange?.isHeadFinal == true { judgeHead() }
        return isAccepted ? progress : nil
    }

    /// The bytes that have arrived since the last call.
    func takeNewByteCount() -> Int {
        defer { notedByteCount = receivedByteCount }
        return receivedByteCount - notedByteCount
    }

    /// The error of a transfer that was too slow for a window of time.
    func checkSpeed(at now: SuspendingClock.Instant) -> WebImageError? { patience.checkSpeed(at: now) }

    /// The error of a transfer whose server answers a challenge's request with a body that does not end.
    var endlessChallenge: WebImageError? {
        guard case .pending = verdict, let exchange, exchange.endsEndlessChallenge() else { return nil }
        judgeHead()
        if case .refused(let error) = verdict { return error }
        return .bodyTooLarge(nil, limit: Self.largestDiscardedBody)
    }

    private var isAccepted: Bool { if case .accepted = verdict { true } else { false } }

    /// The request that takes the place of this one at once; nil for a response that is of use.
    var replacement: OutgoingRequest? { if case .restart = verdict { request.whole } else { nil } }

    /// Whether the head of the response is known.
    var hasHead: Bool { response != nil }

    var progress: LoadProgress { LoadProgress(receivedByteCount: body.count, expectedByteCount: expectedByteCount) }

    /// The bytes of the body so far, from `offset` on; empty for a response that is refused, or may still be.
    func receivedData(from offset: Int) -> Data { isAccepted ? body.data(from: offset) : Data() }

    /// The result of the finished exchange.
    ///
    /// - Parameter failure: Why the exchange failed; nil when the response is complete.
    func outcome(_ failure: WebImageError?) -> TransferOutcome {
        switch verdict {
        case .redirect: return response.map { .redirect($0) } ?? .ended(fail(.emptyBody))
        case .restart: return .restart(request.whole)
        case .refused(let error): return .ended(fail(error))
        case .accepted, .pending: break
        }
        if let error = failure { return isUndecodable(error) ? .restart(request.undecoded) : .ended(fail(error)) }
        if isAccepted { return body.count == joinedByteCount ?? body.count ? .ended(end()) : .restart(request.whole) }
        judgeHead()
        if case .pending = verdict { return .ended(fail(.emptyBody)) }
        return outcome(nil)
    }

    /// Whether libcurl gives up because of an encoding that it does not know. Browsers take such a body as it is.
    private func isUndecodable(_ error: WebImageError) -> Bool {
        guard error.code == .invalidDownloadResponse, request.decodesContent else { return false }
        return exchange?.head?.response.hasUnknownEncoding ?? false
    }

    private func end() -> Result<ImageLoadResponse, WebImageError> {
        guard body.count > 0 else { return fail(.emptyBody) }
        var answer = ImageLoadResponse(data: body.takeData(), http: response)
        answer.sent = load.sentRequest
        return .success(answer)
    }

    /// The beginning of the body, if the transfer could go on with it later. It leaves nothing behind: the exchange is over.
    func takePartialBody() -> PartialBody? {
        validatorOfPart.map { PartialBody(data: body.takeData(), validator: $0, totalByteCount: expectedByteCount) }
    }

    /// A copy of the beginning of the body, when it is time for one.
    func copyPartialBody(at now: SuspendingClock.Instant) -> PartialBody? {
        guard copies.isDue(body.count, at: now) else { return nil }
        return validatorOfPart.map {
            PartialBody(data: body.data(from: 0), validator: $0, totalByteCount: expectedByteCount)
        }
    }

    /// nil for a body with which no transfer can go on later.
    private var validatorOfPart: String? {
        guard isAccepted, !isEncoded, load.responseModifier == nil, !load.key.allowsInvalidCertificates,
            load.key.method == "GET", !load.key.headers.hasField("range"), body.count >= Resumption.leastByteCount
        else { return nil }
        return response.flatMap { Resumption.validator(of: $0) }
    }

    /// The failure with what is known of the response.
    func fail(_ error: WebImageError) -> Result<ImageLoadResponse, WebImageError> {
        var error = error
        error.response = response
        error.statusCode = response?.statusCode
        return .failure(error)
    }
}

// MARK: - Reports of the exchange

extension HTTPTransfer {
    /// The connection stands, or the exchange does not tell.
    func connectionStood() {
        hasConnected = true
        hasActivity = true
    }

    /// Bytes of a head that counts have arrived.
    func receiveHeadBytes(_ byteCount: Int) {
        receivedByteCount += byteCount
        hasActivity = true
    }

    /// The response is refused, whatever follows.
    func refuse(_ error: WebImageError) { verdict = .refused(error) }

    /// False to give up the exchange.
    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        hasActivity = true
        receivedByteCount += bytes.count
        if case .pending = verdict { judgeHead() }
        guard isAccepted, !isTooLong(bytes.count) else { return discard(bytes.count) }
        if let error = appending(bytes) {
            verdict = .refused(error)
            return false
        }
        return true
    }

    /// Whether the server sends more than it has announced as the rest of a beginning.
    private func isTooLong(_ byteCount: Int) -> Bool {
        guard let joinedByteCount, byteCount > joinedByteCount - body.count else { return false }
        verdict = .restart
        return true
    }

    private func appending(_ bytes: UnsafeRawBufferPointer) -> WebImageError? {
        guard bytes.count <= config.maximumBodyByteCount - body.count else {
            return .bodyTooLarge(nil, limit: config.maximumBodyByteCount)
        }
        if isEncoded, let error = expansionError(body.count + bytes.count) { return error }
        return body.append(bytes) ? nil : .noMemoryForBody(body.count + bytes.count)
    }

    /// libcurl counts a piece only after it has delivered it.
    private static let largestPiece = 128 << 10

    private func expansionError(_ byteCount: Int) -> WebImageError? {
        guard let ratio = config.maximumExpansionRatio, let packed = exchange?.wireByteCount else { return nil }
        let (limit, overflow) = ratio.multipliedReportingOverflow(by: packed + Self.largestPiece)
        return overflow || byteCount <= limit ? nil : .expandsTooMuch(byteCount, from: packed, ratio: ratio)
    }

    private func discard(_ byteCount: Int) -> Bool {
        if case .restart = verdict { return false }
        discardedByteCount += byteCount
        if case .refused(let error) = verdict, error.code == .limitExceeded { return false }
        return discardedByteCount <= Self.largestDiscardedBody
    }
}

// MARK: - The verdict on a head

extension HTTPTransfer {
    private func judgeHead() {
        guard let head = exchange?.head else { return }
        receivedResponse = head.response
        if RedirectRules.isRedirect(head.response) {
            response = head.response
            verdict = .redirect
            return
        }
        if let part = request.partialBody {
            guard let whole = wholeHead(head, after: part) else {
                response = head.response
                verdict = .restart
                return
            }
            judge(whole)
            return
        }
        judge(head)
    }

    /// The head as if the whole body followed, which goes on after `part`; nil when that is of no use. A server that sends
    /// the whole body has given the head that counts.
    private func wholeHead(_ head: ReceivedHead, after part: PartialBody) -> ReceivedHead? {
        if Resumption.isOfWhole(head.response) { return head }
        guard let total = Resumption.totalByteCount(head, after: part) else { return nil }
        var whole = head
        whole.response.statusCode = 200
        whole.response.headers["content-range"] = nil
        whole.response.headers["content-length"] = "\(total)"
        whole.expectedByteCount = total
        guard total <= config.maximumBodyByteCount, body.reserve(total) else { return whole }
        _ = part.data.withUnsafeBytes { body.append($0) }
        copies.note(part.data.count)
        joinedByteCount = total
        return whole
    }

    private func judge(_ head: ReceivedHead) {
        isEncoded = head.response.isEncoded
        // The announced length does not describe a body that is decoded on arrival.
        expectedByteCount = isEncoded ? nil : head.expectedByteCount
        response = modified(head.response)
        verdict = (response == nil ? .refusedByResponseModifier : refusal).map { .refused($0) } ?? .accepted
        if response == nil { response = head.response }
    }

    private func modified(_ answer: HTTPResponse) -> HTTPResponse? {
        guard let modifier = load.responseModifier else { return answer }
        guard var modified = modifier.modify(answer) else { return nil }
        modified.headers = modified.headers.withLowercasedNames
        return modified
    }

    private var refusal: WebImageError? {
        guard let response else { return nil }
        return config.rejection(of: response, toRequestForPart: request.headers.hasField("range")) ?? makeRoomForBody()
    }

    private func makeRoomForBody() -> WebImageError? {
        guard let expectedByteCount else { return nil }
        guard expectedByteCount <= config.maximumBodyByteCount else {
            return .bodyTooLarge(expectedByteCount, limit: config.maximumBodyByteCount)
        }
        return body.reserve(expectedByteCount) ? nil : .noMemoryForBody(expectedByteCount)
    }
}
