import FoundationEssentials
import WebImage

/// Writes what commands tell as JSON.
enum JSON {
    /// One object in one line, its fields in alphabetical order.
    static func line(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Records hold numbers, texts and arrays of them: all of that can be encoded.
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

/// A failure as JSON.
struct ErrorRecord: Encodable, Sendable {
    let code: Int
    let kind: String
    let stage: String
    let message: String
    let status: Int?

    init(_ error: WebImageError) {
        code = error.code.rawValue
        kind = error.kind.rawValue
        stage = error.stage.rawValue
        message = error.reason
        status = error.statusCode
    }
}
