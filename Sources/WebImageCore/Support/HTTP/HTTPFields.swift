import FoundationEssentials

/// The header fields of an entry: encoded as in its file until the first access, since most hits do not need them.
package enum HTTPFields: Sendable {
    case decoded([String: String])
    case encoded(Data)

    /// Fields as in a file: each as length, name, length, value; nil when the lengths do not add up.
    package init?(_ data: Data) {
        guard Self.areWhole(data.bytes) else { return nil }
        self = data.isEmpty ? .decoded([:]) : .encoded(data)
    }

    package var dictionary: [String: String] {
        switch self {
        case .decoded(let fields): fields
        case .encoded(let data): Self.decode(data.bytes)
        }
    }

    package var encoded: Data {
        switch self {
        case .decoded(let fields): Self.encode(fields)
        case .encoded(let data): data
        }
    }

    private static func areWhole(_ bytes: RawSpan) -> Bool {
        var (offset, count) = (0, 0)
        while offset < bytes.byteCount {
            guard bytes.byteCount - offset >= 4, let size = bytes.count(at: offset),
                size <= bytes.byteCount - offset - 4
            else { return false }
            offset += 4 + size
            count += 1
        }
        return count.isMultiple(of: 2)
    }

    private static func decode(_ bytes: RawSpan) -> [String: String] {
        var fields: [String: String] = [:]
        var offset = 0
        while let name = text(in: bytes, at: &offset), let value = text(in: bytes, at: &offset) {
            if fields[name] == nil { fields[name] = value }
        }
        return fields
    }

    private static func text(in bytes: RawSpan, at offset: inout Int) -> String? {
        guard offset < bytes.byteCount, let size = bytes.count(at: offset) else { return nil }
        defer { offset += 4 + size }
        return bytes.text(in: offset + 4..<offset + 4 + size)
    }

    private static func encode(_ fields: [String: String]) -> Data {
        // An array, since each addition to `Data` takes as long as a whole field here.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(fields.reduce(0) { $0 + 8 + $1.key.utf8.count + $1.value.utf8.count })
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            append(name, to: &bytes)
            append(value, to: &bytes)
        }
        return Data(bytes)
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(integer: UInt32(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }
}
