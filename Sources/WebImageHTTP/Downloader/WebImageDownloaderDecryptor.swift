import FoundationEssentials
import WebImageCore

/// A ready-made ``DownloadDecryptor``.
///
/// A class, so that a body is decrypted once for all loads with the same decryptor.
public final class WebImageDownloaderDecryptor: DownloadDecryptor {
    /// See ``DownloadDecryptor/identifier``.
    public let identifier: String
    private let change: @Sendable (Data, HTTPResponse?) -> Data?

    /// Decrypts bodies by `change`, which is called on a background thread; nil from it fails the load.
    ///
    /// - Parameter identifier: Names it in the caches; see ``DownloadDecryptor/identifier``.
    public init(
        identifier: String = "WebImageDownloaderDecryptor",
        _ change: @escaping @Sendable (_ data: Data, _ response: HTTPResponse?) -> Data?
    ) {
        self.identifier = identifier
        self.change = change
    }

    /// See ``DownloadDecryptor/decrypt(_:response:)``.
    public func decrypt(_ data: Data, response: HTTPResponse?) -> Data? { change(data, response) }
}
