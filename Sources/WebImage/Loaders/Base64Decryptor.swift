import FoundationEssentials

/// Takes bodies for base64 (RFC 4648 §4) and passes over whatever is none of its characters, as line breaks are.
public final class Base64Decryptor: DownloadDecryptor {
    /// A decryptor of base64. ``DownloadDecryptor/base64`` is one that all loads can share.
    public init() {}

    /// The bytes meant; nil when the characters do not add up to whole bytes.
    public func decrypt(_ data: Data, response: HTTPResponse?) -> Data? {
        Data(base64Encoded: data, options: .ignoreUnknownCharacters)
    }

    fileprivate static let shared = Base64Decryptor()
}

extension DownloadDecryptor where Self == Base64Decryptor {
    /// Takes bodies for base64; see ``Base64Decryptor``.
    public static var base64: Base64Decryptor { .shared }
}
