/// Changes what the downloader asks a server.
public protocol DownloadRequestModifier: Sendable {
    /// The request to send in place of `request`, whose header fields are all that will be sent. Nil fails the load with
    /// ``WebImageError/Code/invalidDownloadOperation``. Called on the thread that starts the load.
    ///
    /// Errors go on to speak of the URL that was asked for first, and caches go by it.
    func modify(_ request: ImageLoadRequest) -> ImageLoadRequest?
}
