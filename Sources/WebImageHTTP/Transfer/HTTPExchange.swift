import WebImageCore

/// One request on its way, and the response to it: libcurl's, or that of an app's own operation. Belongs to the
/// transfer thread, and reports what arrives to its ``HTTPTransfer``.
protocol HTTPExchange: AnyObject {
    /// The last complete head that is not an interim one; nil before it.
    var head: ReceivedHead? { get }

    /// Whether ``head`` is certain to be the last one: no answer to a challenge follows.
    var isHeadFinal: Bool { get }

    /// The bytes of the body as they were sent, with their content encoding; nil when the exchange does not know.
    var wireByteCount: Int? { get }

    /// The times of the exchange, as far as it has come; nil when it does not know them.
    var metrics: TransferMetrics? { get }

    /// Reports what has come, where that has not happened yet. The end, if the exchange is over.
    func receiveNews() -> ExchangeEnd?

    /// Whether the body that is arriving answers a challenge, and is longer than anything of use.
    func endsEndlessChallenge() -> Bool

    func setPriority(_ priority: LoadPriority)

    /// Gives the exchange up, or frees what it holds after its end. No report follows.
    func stop()
}

/// The end of an exchange.
struct ExchangeEnd {
    /// nil when the response is complete.
    let error: WebImageError?
    /// Whether most of the time for connecting has passed in a wait for a free connection.
    var wasCutShort = false
    /// Whether the exchange has tried to connect by itself.
    var hasTriedToConnect = true
}

/// The head of a response, and the length of the body that follows.
struct ReceivedHead {
    /// The limit for all heads of one exchange together, trailers included. Some versions of libcurl have a limit of
    /// 300 KiB, others none.
    static let largestByteCount = 256 << 10

    var response: HTTPResponse
    /// As announced and not encoded; nil when the length is unknown.
    var expectedByteCount: Int?
}

/// The next step of a transfer whose exchange has ended.
enum TransferOutcome {
    case redirect(HTTPResponse)
    /// The response is of no use, and another request brings one that is.
    case restart(OutgoingRequest)
    case ended(Result<ImageLoadResponse, WebImageError>)
}
