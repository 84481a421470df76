import FoundationEssentials
import Glibc

extension RawSpan {
    /// The integer in little-endian order at `offset`; traps when it is out of bounds.
    @inlinable
    package func integer<Value: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Value.Type) -> Value {
        Value(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: type))
    }

    /// A number of bytes in 32 bits at `offset`; nil when it is more than an `Int` holds.
    package func count(at offset: Int) -> Int? { Int(exactly: integer(at: offset, as: UInt32.self)) }

    /// The bytes as UTF-8 text, with replacements for invalid ones.
    package func text(in range: Range<Int>) -> String {
        extracting(range).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether the bytes in `range` are the UTF-8 of `text`.
    package func holds(_ text: String, in range: Range<Int>) -> Bool {
        let mine = extracting(range)
        return text.withUTF8Bytes { theirs in mine.withUnsafeBytes { $0.hasSameBytes(as: theirs) } }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the two have the same length and content.
    func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let mine = baseAddress, let theirs = other.baseAddress else { return true }
        return memcmp(mine, theirs, count) == 0
    }
}

extension [UInt8] {
    /// Appends an integer in little-endian order.
    @inlinable
    package mutating func append(integer: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: integer.littleEndian) { append(contentsOf: $0) }
    }
}

extension Data {
    /// Appends an integer in little-endian order.
    @inlinable
    package mutating func append(integer: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: integer.littleEndian) { append(contentsOf: $0) }
    }
}
