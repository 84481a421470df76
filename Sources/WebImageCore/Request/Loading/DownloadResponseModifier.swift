/// Changes the status and header fields of a response before the downloader reads them.
///
/// Loads share a transfer only if their modifiers are the same object, or equal `Hashable` values. A value that is not
/// `Hashable` gets a transfer for each load, except the downloader's own, which is the same for all loads.
public protocol DownloadResponseModifier: Sendable {
    /// The response to use in place of `response`: acceptance, decryptor and result depend on it. Nil fails the load with
    /// ``WebImageError/Code/invalidDownloadResponse``. Called on the transfer thread, so it must be quick.
    func modify(_ response: HTTPResponse) -> HTTPResponse?
}
