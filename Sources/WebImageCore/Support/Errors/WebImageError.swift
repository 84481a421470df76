import FoundationEssentials

/// The failure of a load, a decode or a store.
///
/// ``description`` is one line: what happened, where, and what to do. Code that has to decide checks ``kind`` (retry or
/// give up?) or ``code`` (which failure exactly?).
public struct WebImageError: Error, Sendable {
    /// The failure's code, with SDWebImage's numbers where it has them.
    public let code: Code
    /// The stage where it happened.
    public let stage: Stage
    /// The kind of remedy that a caller has.
    public let kind: Kind
    /// The failure and, if there is one, the remedy: one sentence without a full stop, without the passwords of URLs,
    /// and without control characters that a server has sent.
    public let reason: String
    /// The requested address, before redirects; nil when the failure has none.
    public var url: URL?
    /// The HTTP status, when a server has responded.
    public var statusCode: Int?
    /// The server's response, where that is the failure.
    public var response: HTTPResponse?
    /// The times of the transfer that has failed, as far as it went; nil where nothing was transferred.
    public var metrics: TransferMetrics? {
        get { seldomMetrics.value }
        set { seldomMetrics = Rare(newValue) }
    }

    private var seldomMetrics = Rare<TransferMetrics>.none
    /// The underlying error of another library, if there is one.
    public var underlying: (any Error)?
    /// Whether it was already logged.
    package var isLogged = false
    /// Whether the file has too many frames, of which the first may be decoded.
    package var isOfFrameCount = false
    /// Whether another picture may be the reason: the program that pictures are decoded by has ended meanwhile, or the worker
    /// had decoded others before.
    package var mayBeOfAnotherPicture = false

    /// An error that happened at `stage`.
    public init(
        _ code: Code, stage: Stage, kind: Kind, reason: String, url: URL? = nil, statusCode: Int? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.stage = stage
        self.kind = kind
        self.reason = reason.withoutPasswords.withoutControls
        self.url = url
        self.statusCode = statusCode
        self.underlying = underlying
    }

    /// The stage of a failure, in the order of a load.
    public enum Stage: Sendable {
        /// Checking the request itself.
        case request
        /// Reading the disk cache.
        case disk
        /// Loading bytes from a server or a file.
        case load
        /// Decoding bytes.
        case decode
        /// Transforming a picture.
        case transform
        /// Encoding a picture.
        case encode
        /// Writing a cache or an output file.
        case store
    }

    /// The kinds of remedies that a caller has for a failure.
    public enum Kind: Sendable {
        /// The same load may work later: no network, a time-out, a busy server.
        case transient
        /// The same load will fail again: no such address, not a picture.
        case permanent
        /// The load was cancelled.
        case cancelled
        /// A setting forbids it: a limit, a list of failed URLs.
        case policy
    }

    /// The exact failure. 1000–2004 are SDWebImage's; 3000 and up are failures it reports in other domains.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The number.
        public let rawValue: Int
        /// A code by number; apps that write loaders or coders use numbers from 10,000.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The URL is empty or not a URL.
        public static let invalidURL = Code(rawValue: 1000)
        /// The bytes are no picture that a coder can decode.
        public static let badImageData = Code(rawValue: 1001)
        /// The server has confirmed that the cached picture is current.
        public static let cacheNotModified = Code(rawValue: 1002)
        /// The URL had a permanent failure before, and `retryFailed` was not set.
        public static let blockedURL = Code(rawValue: 1003)
        /// The request could not be created.
        public static let invalidDownloadOperation = Code(rawValue: 2000)
        /// The server responded with a status that is not a success; see ``WebImageError/statusCode``.
        public static let invalidDownloadStatusCode = Code(rawValue: 2001)
        /// The load was cancelled.
        public static let cancelled = Code(rawValue: 2002)
        /// The server's response does not match the request: not HTTP, or a part where the whole file was requested.
        public static let invalidDownloadResponse = Code(rawValue: 2003)
        /// The server's media type is not among the accepted ones.
        public static let invalidDownloadContentType = Code(rawValue: 2004)

        /// The transfer failed, and no other code describes how.
        public static let transferFailed = Code(rawValue: 3000)
        /// No response in time.
        public static let timedOut = Code(rawValue: 3001)
        /// The host's name has no address.
        public static let cannotFindHost = Code(rawValue: 3002)
        /// No server accepts connections at this address.
        public static let cannotConnect = Code(rawValue: 3003)
        /// The connection ended before the end of the response.
        public static let connectionLost = Code(rawValue: 3004)
        /// Redirected more often than allowed.
        public static let tooManyRedirects = Code(rawValue: 3005)
        /// No loader accepts this URL scheme, or a redirect led to one that is not HTTP.
        public static let unsupportedScheme = Code(rawValue: 3006)
        /// The server's certificate could not be verified, or TLS failed otherwise.
        public static let secureConnectionFailed = Code(rawValue: 3007)
        /// The body is larger than the limit, the header claims too many pixels, or memory ran out.
        public static let limitExceeded = Code(rawValue: 3010)
        /// The file ends before the end of its picture.
        public static let truncatedImageData = Code(rawValue: 3011)
        /// A file does not exist.
        public static let fileNotFound = Code(rawValue: 3020)
        /// A file or directory may not be read or written.
        public static let accessDenied = Code(rawValue: 3021)
        /// The disk is full.
        public static let diskFull = Code(rawValue: 3022)
        /// Reading or writing failed, and no other code describes how.
        public static let fileFailed = Code(rawValue: 3023)
        /// The picture is in no cache, and loading was not allowed.
        public static let notCached = Code(rawValue: 3024)
        /// No address of a load with alternatives has a picture; see ``WebImageError/sourceFailures``.
        public static let allSourcesFailed = Code(rawValue: 3025)
        /// The picture could not be encoded.
        public static let encodeFailed = Code(rawValue: 3030)
        /// An operation on pixels with a size, a rectangle or a number that makes no picture.
        public static let invalidOperation = Code(rawValue: 3031)
    }
}

extension WebImageError: CustomStringConvertible {
    /// One line for a person, without passwords: `http://host/a.jpg: the server answered 404 Not Found; check the
    /// address`.
    public var description: String {
        guard let url else { return reason }
        return "\(url.abbreviated): \(reason)"
    }
}

extension WebImageError: LocalizedError {
    /// The same as ``description``, so that `localizedDescription` says it too.
    public var errorDescription: String? { description }
}

extension WebImageError {
    /// The error of every cancelled load.
    public static func cancelled(url: URL? = nil) -> WebImageError {
        WebImageError(.cancelled, stage: .request, kind: .cancelled, reason: "the load was cancelled", url: url)
    }

    /// True for loads that ended because they were cancelled.
    public var isCancelled: Bool { kind == .cancelled }

    /// The same error with `url`.
    package func about(_ url: URL) -> WebImageError {
        var copy = self
        copy.url = url
        return copy
    }

    /// The same error, marked as logged.
    package var logged: WebImageError {
        var copy = self
        copy.isLogged = true
        return copy
    }
}
