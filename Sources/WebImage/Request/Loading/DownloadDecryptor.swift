import FoundationEssentials

/// Decrypts a server's body to a picture's file.
///
/// A body is decrypted once for all loads with the same decryptor object; with a decryptor that is a value, it is
/// decrypted for each load.
public protocol DownloadDecryptor: Sendable {
    /// The file in `data`; nil or empty data fail the load with ``WebImageError/Code/badImageData``. Called on a
    /// background thread when the whole body has arrived.
    func decrypt(_ data: Data, response: HTTPResponse?) -> Data?
}
