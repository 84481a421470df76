import CHEIF
import WebImageCore

/// libheif's global state.
enum HEIFLibrary {
    /// Loads the plugins once, for the lifetime of the process.
    static let isReady: Bool = heif_init(nil).code == heif_error_Ok

    /// Throws libheif's error for a file of `format`.
    static func check(_ result: heif_error, _ format: ImageFormat) throws(WebImageError) {
        guard result.code != heif_error_Ok else { return }
        let sentence = sentence(of: result) ?? "libheif does not say why"
        if result.subcode == heif_suberror_Security_limit_exceeded {
            throw WebImageError(
                .limitExceeded, stage: .decode, kind: .policy,
                reason: "the \(format) file asks for more memory than libheif allows: "
                    + sentence)
        }
        if result.subcode == heif_suberror_End_of_data { throw .truncated(format) }
        if [heif_error_Unsupported_feature, heif_error_Unsupported_filetype].contains(result.code) {
            throw .unsupported(format, sentence)
        }
        throw .damaged(format, sentence)
    }

    /// Of a message such as `Unsupported file-type: Unspecified: File does not include any supported brands.`, followed by a
    /// line break, what is said last; nil without a message.
    static func sentence(of result: heif_error) -> String? {
        guard let message = result.message else { return nil }
        let words = String(cString: message).split { $0.isWhitespace }.joined(separator: " ")
        return words.split(separator: ": Unspecified: ").last.map(String.init) ?? words
    }
}
