import Glibc

/// The part of a derived key's text that its original's does not have: the suffixes of a thumbnail and of a transformer, which
/// stand together before the file name extension.
package struct KeyDerivation: Sendable, Hashable, BitwiseCopyable {
    /// The place of the part in the UTF-8 of the derived key.
    private let start: UInt32
    private let count: UInt32

    package init(start: Int, count: Int) {
        self.start = UInt32(clamping: start)
        self.count = UInt32(clamping: count)
    }

    /// The same after `added` bytes more were put in at the end of the part; nil where `place` is not its end.
    func adding(_ added: Int, at place: Int) -> KeyDerivation? {
        place == Int(start) + Int(count) ? KeyDerivation(start: Int(start), count: Int(count) + added) : nil
    }

    /// The part that makes `original` to `derived`; nil where no such part does.
    package init?(of derived: String, from original: String) {
        let (derived, original) = (Array(derived.utf8), Array(original.utf8))
        let added = derived.count - original.count
        guard added > 0 else { return nil }
        let start = zip(derived, original).prefix { $0 == $1 }.count
        guard derived[(start + added)...].elementsEqual(original[start...]) else { return nil }
        self.init(start: start, count: added)
    }

    /// In six bytes; nil for the part of a key that has tens of thousands of bytes more than its original's.
    package var packed: (start: UInt32, count: UInt16)? { UInt16(exactly: count).map { (start, $0) } }

    /// The bytes without the part.
    func original(in bytes: UnsafeRawBufferPointer) -> [UInt8] {
        let end = Int(start) + Int(count)
        guard end <= bytes.count else { return Array(bytes) }
        return Array(bytes[..<Int(start)]) + bytes[end...]
    }
}

extension CacheKey {
    /// The key of the picture that this one's was made from: a thumbnail's, a transformed picture's, or that of a file
    /// decoded in another way. The key itself for all others.
    ///
    /// Keys of loads know it (``WebImageManager/cacheKey(for:context:)``). A key that an app makes of a derived key's text is
    /// equal to that key, but names a file of its own on the disk, and no original.
    public var original: CacheKey {
        guard derivation != nil || isVariant else { return self }
        return CacheKey(String(decoding: originalBytes, as: UTF8.self))
    }

    /// Whether the picture was made from another one: a thumbnail, or a transformed picture.
    package var isDerived: Bool { derivation != nil }

    /// The fingerprint of the key that this one is a variant of; nil for a key that is no variant.
    package var variantFamily: KeyFingerprint? {
        string.withUTF8Bytes { bytes in
            bytes.firstNUL.map { KeyFingerprint(UnsafeRawBufferPointer(rebasing: bytes[..<$0])) }
        }
    }

    /// The fingerprint of ``original``; nil for a key that is not derived.
    package var derivedFamily: KeyFingerprint? {
        derivation == nil ? nil : originalBytes.withUnsafeBytes { KeyFingerprint($0) }
    }

    private var isVariant: Bool { string.withUTF8Bytes { $0.firstNUL != nil } }

    private var originalBytes: [UInt8] {
        string.withUTF8Bytes { bytes in
            let name = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.firstNUL ?? bytes.count)])
            return derivation.map { $0.original(in: name) } ?? Array(name)
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var firstNUL: Int? {
        guard let start = baseAddress, let end = memchr(start, 0, count) else { return nil }
        return end - UnsafeMutableRawPointer(mutating: start)
    }
}
