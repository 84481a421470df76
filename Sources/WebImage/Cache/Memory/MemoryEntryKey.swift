/// A key's bytes within the entry that they name: who compares them has them at hand, and looks nowhere else in memory.
/// Those of a long key stand apart.
struct MemoryEntryKey: ~Copyable {
    // Comes first: the address of the whole is the address of the bytes.
    /// The bytes, or where they are.
    private let words: InlineArray<9, UInt64>
    private let count: Int

    /// With the rest of an entry, what two cache lines hold.
    private static let mostInPlace = 72

    init(_ text: String) {
        var words = InlineArray<9, UInt64>(repeating: 0)
        count = text.withUTF8Bytes { bytes in
            if bytes.count <= Self.mostInPlace {
                var span = words.mutableSpan
                span.withUnsafeMutableBytes { $0.copyMemory(from: bytes) }
            } else {
                let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
                copy.copyMemory(from: bytes)
                words[0] = UInt64(UInt(bitPattern: copy.baseAddress))
            }
            return bytes.count
        }
        self.words = words
    }

    deinit { if count > Self.mostInPlace { distantBytes.deallocate() } }

    func hasSameBytes(as bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count == count else { return false }
        guard count <= Self.mostInPlace else { return distantBytes.hasSameBytes(as: bytes) }
        // The words themselves would be copied for that.
        return withUnsafeBytes(of: self) { mine in
            UnsafeRawBufferPointer(rebasing: mine.prefix(count)).hasSameBytes(as: bytes)
        }
    }

    private var distantBytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: UInt(words[0])), count: count)
    }
}
