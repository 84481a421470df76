/// Why bytes are not the message that is expected.
package enum MessageError: Error {
    case truncated, tooLong, unknownValue, unreadBytes
}

/// Reads the values of a message in the order in which a ``MessageWriter`` wrote them. No bytes make it trap, or take more
/// memory than the message itself has.
package struct MessageReader {
    private let bytes: [UInt8]
    private var offset = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var remainingCount: Int { bytes.count - offset }

    package mutating func readByte() throws(MessageError) -> UInt8 {
        guard remainingCount > 0 else { throw .truncated }
        defer { offset += 1 }
        return bytes[offset]
    }

    package mutating func read<Value: MessageValue>(
        _ type: Value.Type = Value.self
    ) throws(MessageError) -> Value { try Value(from: &self) }

    package mutating func readInteger<Integer: FixedWidthInteger>() throws(MessageError) -> Integer {
        let count = Integer.bitWidth / 8
        guard remainingCount >= count else { throw .truncated }
        defer { offset += count }
        return bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Integer(truncatingIfNeeded: $1) }
    }

    package mutating func readBytes(maximumCount: Int = .max) throws(MessageError) -> ArraySlice<UInt8> {
        let count = try readCount()
        guard count <= maximumCount else { throw .tooLong }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    /// The number of values that follow, each of a byte or more.
    package mutating func readCount() throws(MessageError) -> Int {
        let count: Int64 = try readInteger()
        guard count >= 0, count <= remainingCount else { throw .truncated }
        return Int(count)
    }

    package func requireEnd() throws(MessageError) {
        guard remainingCount == 0 else { throw .unreadBytes }
    }
}
