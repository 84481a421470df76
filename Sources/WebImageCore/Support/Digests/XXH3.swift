import CChecksum

/// The checksum of files: finds any accidental damage, at the speed of the processor's second cache.
package enum XXH3 {
    /// 64 bits that change with any of `bytes`.
    package static func checksum(of bytes: RawSpan) -> UInt64 {
        bytes.withUnsafeBytes { webimage_xxh3($0.baseAddress, $0.count) }
    }
}
