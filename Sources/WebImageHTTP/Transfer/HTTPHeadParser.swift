import WebImageCore

/// Collects the header lines of a response as libcurl delivers them. A new status line starts over, so that the fields
/// are those of the last response, after interim responses, redirects and challenges.
///
/// Not `curl_easy_nextheader`, whose cost is quadratic in a number of fields that the server chooses.
struct HTTPHeadParser {
    /// The lines, with the names of their fields in lower case.
    private var bytes: [UInt8] = []
    /// Whether the last status line is that of an interim response (RFC 9110 §15.2).
    private(set) var isInterim = false
    /// Whether its code is not of three digits (RFC 9112 §4), which some versions of libcurl accept.
    private(set) var hasBadStatus = false

    private static let usualByteCount = 512
    private static let usualFieldCount = 12

    init() { bytes.reserveCapacity(Self.usualByteCount) }

    /// Adds one line with its line break. True when it is the empty line that ends a head.
    mutating func append(line: UnsafeRawBufferPointer) -> Bool {
        let start = bytes.count
        if line.starts(with: "HTTP/".utf8) {
            bytes.removeAll(keepingCapacity: true)
            let code = line.drop { $0 != UInt8(ascii: " ") }.dropFirst().prefix { $0 > UInt8(ascii: " ") }
            isInterim = code.first == UInt8(ascii: "1")
            hasBadStatus = code.count != 3 || !code.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            bytes.append(contentsOf: line)
        } else {
            bytes.append(contentsOf: line)
            lowercaseName(from: start)
        }
        return line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n")
    }

    private mutating func lowercaseName(from start: Int) {
        for index in start..<bytes.count {
            switch bytes[index] {
            case UInt8(ascii: ":"): return
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): bytes[index] |= 0x20
            default: continue
            }
        }
    }

    /// The fields, names in lower case, repeated ones joined by `, ` (RFC 9110 §5.3).
    func fields() -> [String: String] {
        var fields: [String: String] = [:]
        fields.reserveCapacity(Self.usualFieldCount)
        var lastName = ""
        var lines = HeadLines(bytes)
        _ = lines.next()
        while let line = lines.next() {
            guard let colon = line.colon else {
                // A folded line continues the value above it (RFC 9112 §5.2).
                if line.isFolded { fields[lastName]?.append(" " + lines.text(in: line.range)) }
                continue
            }
            lastName = lines.text(in: line.range.lowerBound..<colon)
            let value = lines.text(in: colon + 1..<line.range.upperBound)
            if let index = fields.index(forKey: lastName) {
                fields.values[index].append(", " + value)
            } else {
                fields[lastName] = value
            }
        }
        return fields
    }
}

/// The lines of a head, one after the other.
private struct HeadLines {
    struct Line {
        var range: Range<Int>
        /// The end of the field's name; nil for a folded line, and for one that is no field.
        var colon: Int?
        var isFolded: Bool
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> Line? {
        guard position < bytes.count else { return nil }
        let start = position
        let isFolded = bytes[start] == UInt8(ascii: " ") || bytes[start] == UInt8(ascii: "\t")
        var colon: Int?
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") {
            if colon == nil, !isFolded, bytes[position] == UInt8(ascii: ":") { colon = position }
            position += 1
        }
        defer { position += 1 }
        return Line(range: start..<position, colon: colon, isFolded: isFolded)
    }

    /// The text without the blanks and the line break around it.
    func text(in range: Range<Int>) -> String {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isBlank(bytes[start]) { start += 1 }
        while start < end, isBlank(bytes[end - 1]) { end -= 1 }
        return bytes.span.bytes.text(in: start..<end)
    }

    private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
}
