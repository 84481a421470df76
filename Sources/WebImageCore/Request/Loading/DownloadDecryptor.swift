import FoundationEssentials

/// Decrypts a server's body to a picture's file.
///
/// A shared body is decrypted once for all loads with the same decryptor: the same object, or equal `Hashable` values. A
/// value that is not `Hashable` decrypts it for each load, except the downloader's own, which is the same for all loads.
public protocol DownloadDecryptor: Sendable {
    /// Names the decryptor in the caches, also of later processes: what it has decrypted is seen only by loads whose
    /// decryptor has the same name. By default the name of its type; a decryptor with a key of its own should have a name
    /// that differs by the key.
    var identifier: String { get }

    /// The file in `data`; nil or empty data fail the load with ``WebImageError/Code/badImageData``. Called on a
    /// background thread when the whole body has arrived.
    func decrypt(_ data: Data, response: HTTPResponse?) -> Data?
}

extension DownloadDecryptor {
    /// The name of the type.
    public var identifier: String { String(reflecting: Self.self) }
}
