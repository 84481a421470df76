import FoundationEssentials

/// Loads the bytes of a picture: from a server, a file, a database.
///
/// A loader owns its threading. ``WebImageDownloader`` is the one for the web; register your own with
/// ``ImageLoadersManager/add(_:)`` or name it in a load's context.
public protocol ImageLoader: Sendable {
    /// Whether this loader accepts `url`. Any thread; must not block.
    func canLoad(_ url: URL) -> Bool

    /// Starts the load of the bytes.
    ///
    /// - Parameter receive: Gets any number of ``ImageLoadEvent/progress(_:)`` and, when the request wants them,
    ///   ``ImageLoadEvent/data(_:)``, and then ``ImageLoadEvent/finished(_:)`` exactly once; one event at a time, on
    ///   any thread, possibly before this method returns. After `cancel()` the end is ``WebImageError/Code/cancelled``
    ///   unless the bytes were already complete.
    func load(
        _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any CancellableTask

    /// Whether a URL that failed with `error` fails at once from now on, until it is requested with
    /// ``WebImageOptions/retryFailed``. By default only permanent failures.
    func shouldBlockFailedURL(_ url: URL, error: WebImageError) -> Bool

    /// The credential that the loader sends to servers that request one, for loads that have none; nil by default.
    /// Caches show pictures that it brings only to loads with the same credential (``LoadRights``). Any thread; must
    /// not block.
    func credential(for url: URL) -> DownloadCredential?

    /// The HTTP method with which the loader would send `request`, after its request modifier; by default that of the
    /// request. Loads that follow the server (``HTTPCachePolicy/followsServer``) ask, before they look into caches, which
    /// have answers to GET only. Any thread; must not block.
    func method(of request: ImageLoadRequest) -> String
}

extension ImageLoader {
    /// nil.
    public func credential(for url: URL) -> DownloadCredential? { nil }

    /// The method of the request.
    public func method(of request: ImageLoadRequest) -> String { request.method }

    /// True after bytes that are no picture and after permanent failures of the request itself, false after an HTTP
    /// status, a cancellation, a limit or a network error.
    public func shouldBlockFailedURL(_ url: URL, error: WebImageError) -> Bool {
        switch error.code {
        case .invalidURL, .badImageData, .unsupportedScheme, .tooManyRedirects: true
        case .secureConnectionFailed: error.kind == .permanent
        default: false
        }
    }
}

/// An event of a running load.
public enum ImageLoadEvent: Sendable {
    /// More bytes have arrived.
    case progress(LoadProgress)
    /// The next bytes of the body, without gaps; a load that joins a running transfer first gets the bytes that it
    /// missed. The last bytes may arrive only with the end, which has the whole body.
    case data(Data)
    /// The load has ended. Always last, exactly once.
    case finished(Result<ImageLoadResponse, WebImageError>)
}
