import FoundationEssentials

/// Decrypts a server's body to a picture's file.
///
/// A shared body is decrypted once for all loads with the same decryptor: the same object, or equal `Hashable` values. A
/// value that is not `Hashable` decrypts it for each load, except the downloader's own, which is the same for all loads.
public protocol DownloadDecryptor: Sendable {
    /// The file in `data`; nil or empty data fail the load with ``WebImageError/Code/badImageData``. Called on a
    /// background thread when the whole body has arrived.
    func decrypt(_ data: Data, response: HTTPResponse?) -> Data?
}
