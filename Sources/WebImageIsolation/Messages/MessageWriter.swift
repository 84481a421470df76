/// Writes the values of a message one after the other: integers with the lowest byte first, and what has a length after it.
package struct MessageWriter {
    /// The longest text in bytes of UTF-8; longer ones are cut off.
    package static let maximumTextByteCount = 16 << 10

    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func write(_ byte: UInt8) { bytes.append(byte) }

    package mutating func write<Value: MessageValue>(_ value: Value) { value.write(to: &self) }

    package mutating func writeInteger<Integer: FixedWidthInteger>(_ integer: Integer) {
        var rest = integer
        for _ in 0..<Integer.bitWidth / 8 {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    package mutating func writeBytes<Bytes: Collection<UInt8>>(_ content: Bytes) {
        writeInteger(Int64(content.count))
        bytes.append(contentsOf: content)
    }
}
