import FoundationEssentials

/// Turns the body that a server sent into a picture's file.
///
/// A body is decrypted once for all loads that have one and the same decryptor, which only a class can be; for those whose
/// decryptor is a value, it is decrypted for each.
public protocol DownloadDecryptor: Sendable {
    /// The file in `data`; nil or nothing fails the load with ``WebImageError/Code/badImageData``. Called on a background
    /// thread once the whole body is there.
    func decrypt(_ data: Data, response: HTTPResponse?) -> Data?
}
