/// Changes the downloader's requests to a server.
public protocol DownloadRequestModifier: Sendable {
    /// Returns the request to send instead of `request`, with all header fields to be sent. Nil fails the load with
    /// ``WebImageError/Code/invalidDownloadOperation``. Called on the thread that starts the load, and for loads that follow
    /// the server (``HTTPCachePolicy/followsServer``) also before they look into caches, for the method.
    ///
    /// Errors and caches still use the originally requested URL.
    func modify(_ request: ImageLoadRequest) -> ImageLoadRequest?
}
