import Glibc

extension UnsafeRawBufferPointer {
    /// The offset of the first `byte`; nil without one. By the C library: a closure for each byte of some megabytes takes
    /// seconds without the optimizer.
    package func firstOffset(of byte: UInt8) -> Int? {
        guard let start = baseAddress, let place = memchr(start, Int32(byte), count) else { return nil }
        return UnsafeRawPointer(place) - start
    }

    /// Whether there is such a byte.
    package func has(_ byte: UInt8) -> Bool { firstOffset(of: byte) != nil }
}
