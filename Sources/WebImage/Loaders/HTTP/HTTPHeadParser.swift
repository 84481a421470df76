/// Collects the header lines of a response as libcurl delivers them. A new status line starts over, so that the fields
/// are those of the last response, after interim responses, redirects and challenges.
///
/// Not `curl_easy_nextheader`, whose cost is quadratic in a number of fields that the server chooses.
struct HTTPHeadParser {
    private var bytes: [UInt8] = []
    /// Whether the last status line is that of an interim response (RFC 9110 §15.2).
    private(set) var isInterim = false

    /// Adds one line with its line break. True when it is the empty line that ends a head.
    mutating func append(line: UnsafeRawBufferPointer) -> Bool {
        if line.starts(with: "HTTP/".utf8) {
            bytes.removeAll(keepingCapacity: true)
            isInterim = line.drop { $0 != UInt8(ascii: " ") }.dropFirst().first == UInt8(ascii: "1")
        }
        bytes.append(contentsOf: line)
        return line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n")
    }

    /// The fields, names in lower case, repeated ones joined by `, ` (RFC 9110 §5.3).
    func fields() -> [String: String] {
        var fields: [String: String] = [:]
        var lastName = ""
        for line in bytes.split(separator: UInt8(ascii: "\n")).dropFirst() {
            if let first = line.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
                // A folded line continues the value above it (RFC 9112 §5.2).
                fields[lastName]?.append(" " + line.trimmedText)
            } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
                lastName = line[..<colon].trimmedText.lowercased()
                let value = line[(colon + 1)...].trimmedText
                if fields[lastName]?.append(", " + value) == nil { fields[lastName] = value }
            }
        }
        return fields
    }
}

extension ArraySlice<UInt8> {
    fileprivate var trimmedText: String {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
        let end = lastIndex { !isBlank($0) }.map { $0 + 1 } ?? startIndex
        return String(decoding: self[..<end].drop(while: isBlank), as: UTF8.self)
    }
}
