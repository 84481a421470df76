import FoundationEssentials

/// Gets the bytes of a picture from somewhere: a server, a file, a database.
///
/// A loader owns its threading. ``WebImageDownloader`` is the one for the web; register your own with
/// ``ImageLoadersManager/add(_:)`` or name it in a load's context.
public protocol ImageLoader: Sendable {
    /// Whether this loader takes `url`. Any thread; must not block.
    func canLoad(_ url: URL) -> Bool

    /// Starts getting the bytes.
    ///
    /// - Parameter receive: Gets any number of ``ImageLoadEvent/progress(_:)`` and, when the request asks for them,
    ///   ``ImageLoadEvent/data(_:)``, and then ``ImageLoadEvent/finished(_:)`` exactly once; one event at a time, on any
    ///   thread, perhaps before this method returns. After `cancel()` the ending is ``WebImageError/Code/cancelled``
    ///   unless the bytes were complete already.
    func load(
        _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any ImageLoadTask

    /// Whether a URL that failed with `error` should fail at once from now on, until it is asked for with
    /// ``WebImageOptions/retryFailed``. By default, only failures that will not mend themselves.
    func shouldBlockFailedURL(_ url: URL, error: WebImageError) -> Bool
}

extension ImageLoader {
    /// Blocks after bytes that are no picture and after permanent failures of the request itself, never after an HTTP
    /// status, a cancellation, a limit or trouble with the network.
    public func shouldBlockFailedURL(_ url: URL, error: WebImageError) -> Bool {
        switch error.code {
        case .invalidURL, .badImageData, .unsupportedScheme, .tooManyRedirects: true
        case .secureConnectionFailed: error.kind == .permanent
        default: false
        }
    }
}

/// A load that a loader has under way.
public protocol ImageLoadTask: CancellableTask {
    /// Changes how urgently the bytes are wanted; without effect where the loader cannot.
    func setPriority(_ priority: LoadPriority)
}

/// What a loader tells while it works.
public enum ImageLoadEvent: Sendable {
    /// More bytes have come.
    case progress(LoadProgress)
    /// The next bytes of the body, right after those told before; a load that joins a transfer under way is told those
    /// that it missed first. The last bytes may come with the ending only, which has the whole body.
    case data(Data)
    /// The load has ended. Always last, exactly once.
    case finished(Result<ImageLoadResponse, WebImageError>)
}

/// How far a transfer has come.
public struct LoadProgress: Sendable, Hashable {
    /// Bytes that have come so far.
    public var receivedByteCount: Int
    /// Bytes that the server announced; nil when it did not, or when what it announced is not what arrives.
    public var expectedByteCount: Int?

    /// Progress of `receivedByteCount` bytes out of those expected.
    public init(receivedByteCount: Int, expectedByteCount: Int? = nil) {
        self.receivedByteCount = receivedByteCount
        self.expectedByteCount = expectedByteCount
    }

    /// 0 to 1; nil while the whole is unknown.
    public var fractionCompleted: Double? {
        guard let expectedByteCount, expectedByteCount > 0 else { return nil }
        return min(1, Double(receivedByteCount) / Double(expectedByteCount))
    }
}

/// What a loader got.
public struct ImageLoadResponse: Sendable {
    /// The whole body, decoded from its transfer and content encodings.
    public var data: Data
    /// The server's answer; nil for loads that are not HTTP.
    public var http: HTTPResponse?

    /// What loads that share this very answer have decoded from it; nil for an answer that nobody shares.
    var decodes: DecodeMemory?

    /// The same answer for several loads, which need not decode it more than once.
    var sharedByMany: ImageLoadResponse {
        var copy = self
        copy.decodes = DecodeMemory()
        return copy
    }

    /// A response of `data`.
    public init(data: Data, http: HTTPResponse? = nil) {
        self.data = data
        self.http = http
    }
}
