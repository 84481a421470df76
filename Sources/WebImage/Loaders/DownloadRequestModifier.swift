/// Changes what the downloader asks a server.
public protocol DownloadRequestModifier: Sendable {
    /// The request to send in place of `request`; nil fails the load with
    /// ``WebImageError/Code/invalidDownloadOperation``. Called on the thread that starts the load.
    func modify(_ request: ImageLoadRequest) -> ImageLoadRequest?
}
