import FoundationEssentials

/// Turns the body that a server sent into a picture's file.
public protocol DownloadDecryptor: Sendable {
    /// The file in `data`; nil fails the load with ``WebImageError/Code/badImageData``. Called on a background thread
    /// once the whole body is there.
    func decrypt(_ data: Data, response: HTTPResponse?) -> Data?
}
