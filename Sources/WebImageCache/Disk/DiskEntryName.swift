import WebImageCore

/// The name of an entry's file: the first 16 bytes of the SHA-256 of its key. In the names of partial bodies, the first
/// four of them are `ff`, so that a listing tells them from whole entries. In the names of what was made from another
/// picture, the first eight are those of that one's name, so that a listing of one directory finds all of its family.
///
/// Keys have any bytes and any length, so no part of a key becomes part of a path. The file contains the whole key, and
/// each reader compares it.
struct DiskEntryName: Hashable, Sendable, BitwiseCopyable {
    let high: UInt64
    let low: UInt64

    init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    init(_ key: CacheKey) {
        let (high, low) = SHA256.firstHalf(of: key.string)
        if key.isDerived {
            self.init(high: SHA256.firstHalf(of: key.original.string).high, low: low)
        } else {
            self.init(high: key.isPartialBody ? high | Self.partialBodyMark : high, low: low)
        }
    }

    private static let partialBodyMark: UInt64 = 0xFFFF_FFFF_0000_0000

    /// Whether the entry is the beginning of a file, which is evicted before all whole ones. One in four billion whole
    /// entries has such a name, too.
    var isOfPartialBody: Bool { high >= Self.partialBodyMark }

    /// Whether the entry is of the family of `original`, and not that itself.
    func isDerived(from original: DiskEntryName) -> Bool { high == original.high && low != original.low }

    /// The name of a file in a cache; nil for files that are something else.
    init?(fileName: String) {
        let bytes = Array(fileName.utf8)
        self.init(digits: bytes.span.bytes)
    }

    /// The name in 32 digits; nil for anything else.
    init?(digits: RawSpan) {
        guard digits.byteCount == 32, let high = Self.number(digits.extracting(0..<16)),
            let low = Self.number(digits.extracting(16..<32))
        else { return nil }
        (self.high, self.low) = (high, low)
    }

    /// The number of the file's directory, one of 256.
    var directory: UInt8 { UInt8(truncatingIfNeeded: high >> 56) }

    /// 32 hexadecimal digits in lower case.
    var fileName: String {
        String(unsafeUninitializedCapacity: 32) { digits in
            write { index, digit in digits[index] = digit }
            return 32
        }
    }

    /// `root/ab/abcdef…`, built in one step, since each read needs it.
    func path(in root: String) -> String {
        root.withUTF8Bytes { root in
            String(unsafeUninitializedCapacity: root.count + 36) { path in
                _ = path.update(fromContentsOf: root)
                let directory = root.count + 1
                path[root.count] = UInt8(ascii: "/")
                write { index, digit in path[directory + 3 + index] = digit }
                path[directory] = path[directory + 3]
                path[directory + 1] = path[directory + 4]
                path[directory + 2] = UInt8(ascii: "/")
                return root.count + 36
            }
        }
    }

    private func write(_ put: (_ index: Int, _ digit: UInt8) -> Void) {
        for index in 0..<16 {
            put(index, Self.digit(of: high, at: index))
            put(index + 16, Self.digit(of: low, at: index))
        }
    }

    private static func digit(of number: UInt64, at index: Int) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: number >> (60 - 4 * UInt64(index))) & 15
        return value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }

    private static func number(_ digits: RawSpan) -> UInt64? {
        var number: UInt64 = 0
        for position in 0..<digits.byteCount {
            let byte = digits.integer(at: position, as: UInt8.self)
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return number
    }
}
