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
