import CDeflate

/// The checksum of gzip and PNG: finds every damage of up to 32 bits in a row, at memory speed.
package enum CRC32 {
    /// The checksum of `bytes`, or of everything that gave `previous` with `bytes` after it.
    package static func checksum(of bytes: RawSpan, after previous: UInt32 = 0) -> UInt32 {
        guard !bytes.isEmpty else { return previous }
        return bytes.withUnsafeBytes { libdeflate_crc32(previous, $0.baseAddress, $0.count) }
    }
}
