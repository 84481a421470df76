import FoundationEssentials

/// Decodes bodies in base64 (RFC 4648 §4), and skips characters outside its alphabet, such as line breaks.
public final class Base64Decryptor: DownloadDecryptor {
    /// A base64 decryptor. ``DownloadDecryptor/base64`` is one that all loads can share.
    public init() {}

    /// The decoded bytes; nil when the characters do not form whole bytes.
    public func decrypt(_ data: Data, response: HTTPResponse?) -> Data? {
        Data(base64Encoded: data, options: .ignoreUnknownCharacters)
    }

    fileprivate static let shared = Base64Decryptor()
}

extension DownloadDecryptor where Self == Base64Decryptor {
    /// Decodes bodies in base64; see ``Base64Decryptor``.
    public static var base64: Base64Decryptor { .shared }
}
