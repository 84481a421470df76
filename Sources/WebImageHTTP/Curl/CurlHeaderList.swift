import CCurl
import WebImageCore

/// Header fields in libcurl's form.
final class CurlHeaderList {
    private(set) var first: UnsafeMutablePointer<curl_slist>?
    let fields: [String: String]
    let isSigned: Bool
    /// Whether the fields request a part of the body.
    let namesRange: Bool

    /// Fields that libcurl adds by itself; they are suppressed, so that only the requested fields are sent.
    private static let addedByLibrary = ["accept", "content-type", "expect", "user-agent"]

    /// Fields that say where the body ends. libcurl adds the right ones; with another length, a server would wait for a
    /// body that does not come.
    private static let framing: Set = ["content-length", "transfer-encoding"]

    /// Fails when a name or a value contains a line break: the text after it would be a forged field.
    ///
    /// - Parameter isSigned: Whether libcurl signs the fields. Before version 8.8 it signs also those that it is to suppress,
    ///   which the server then does not get; so none is suppressed.
    init(_ fields: [String: String], isSigned: Bool = false) throws(WebImageError) {
        self.fields = fields
        self.isSigned = isSigned
        namesRange = fields.hasField("range")
        for (name, value) in fields where !Self.framing.contains(name.lowercased()) {
            guard name.isToken, value.isFieldValue else { throw .headerField(name) }
            // libcurl takes "Name:" for "do not send it" and "Name;" for "send it empty".
            try append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        guard !isSigned else { return }
        for name in Self.addedByLibrary where !fields.hasField(name) { try append("\(name):") }
    }

    deinit { curl_slist_free_all(first) }

    private func append(_ line: String) throws(WebImageError) {
        guard let longer = curl_slist_append(first, line) else {
            throw .curl("libcurl has no memory for header fields")
        }
        first = longer
    }
}

extension String {
    /// A token of RFC 9110 §5.6.2: the name of a field, a method.
    package var isToken: Bool {
        !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"): true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    fileprivate var isFieldValue: Bool { utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 } }
}

extension WebImageError {
    fileprivate static func headerField(_ name: String) -> WebImageError {
        WebImageError(
            .invalidDownloadOperation, stage: .request, kind: .permanent,
            reason: "the header field \"\(name.abbreviated(to: 60).debugDescription.dropFirst().dropLast())\" "
                + "has characters that HTTP forbids in a field; remove them")
    }
}
