import FoundationEssentials
import WebImage

/// Writes the results of commands as JSON.
package enum JSON {
    /// One object in one line, with sorted fields and without the passwords of URLs. What would control a terminal is
    /// escaped.
    package static func line(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Records hold numbers, strings and arrays of them, which can all be encoded.
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self).withoutPasswords.escaped } ?? "{}"
    }
}

extension String {
    /// JSON with an escape for each control character that the encoder leaves as it is: DEL, U+0080 to U+009F, and those that
    /// change the text direction (RFC 8259 §7).
    fileprivate var escaped: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isControl {
                for unit in scalar.utf16 { text += "\\u" + unit.fourDigits }
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension UInt16 {
    fileprivate var fourDigits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
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
