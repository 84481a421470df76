import FoundationEssentials
import WebImageCore

extension DownloadDecryptor where Self == WebImageDownloaderDecryptor {
    /// Decodes bodies in base64 (RFC 4648 §4), and skips characters outside its alphabet, such as line breaks. Fails when
    /// the characters do not form whole bytes.
    public static var base64: WebImageDownloaderDecryptor { base64Decryptor }
}

/// One for all loads: a body is decrypted once for all with the same decryptor.
private let base64Decryptor = WebImageDownloaderDecryptor(identifier: "base64") { data, _ in
    Data(base64Encoded: data, options: .ignoreUnknownCharacters)
}
