import FoundationEssentials
import WebImage

/// Writes the results of commands as JSON.
package enum JSON {
    /// One object in one line, with sorted fields and without the passwords of URLs.
    package static func line(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Records hold numbers, strings and arrays of them, which can all be encoded.
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self).withoutPasswords } ?? "{}"
    }
}

/// A failure as JSON.
package struct ErrorRecord: Encodable, Sendable {
    package let code: Int
    package let kind: String
    package let stage: String
    package let message: String
    package let status: Int?

    package init(_ error: WebImageError) {
        code = error.code.rawValue
        kind = "\(error.kind)"
        stage = "\(error.stage)"
        message = error.reason
        status = error.statusCode
    }
}
