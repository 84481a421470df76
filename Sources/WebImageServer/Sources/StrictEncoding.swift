import WebImageCore
import WebImageHTTP

extension String {
    /// Bytes in the one percent-encoding that signatures are made of: all but letters, digits and `-._~`, and slashes
    /// (RFC 3986 §2.3).
    init(strictlyEncoding bytes: some Sequence<UInt8>, keeping others: String = "") {
        var text = ""
        for byte in bytes {
            if byte.isUnreserved || others.utf8.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + String(byte >> 4, radix: 16, uppercase: true)
                text += String(byte & 15, radix: 16, uppercase: true)
            }
        }
        self = text
    }

    /// The decoded bytes; nil where a `%` is not followed by two digits.
    var percentDecodedBytes: [UInt8]? { withUTF8Bytes(PercentEncoding.decode) }

    /// The text with one spelling of its escapes: none for unreserved characters, and the others in upper case.
    var withPlainEscapes: String {
        var text = ""
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            let escape = "%" + String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), let bytes = escape.percentDecodedBytes, bytes.count == 1 {
                text += String(strictlyEncoding: bytes)
                rest = rest.dropFirst(2)
            } else {
                text.append(String(decoding: [byte], as: UTF8.self))
            }
        }
        return text
    }
}

extension UInt8 {
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._~".utf8.contains(self)
        }
    }
}
