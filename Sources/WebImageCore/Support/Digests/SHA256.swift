import CCrypto
import FoundationEssentials

/// The digest for file names from keys, which strangers may choose.
package enum SHA256 {
    /// The first 16 of the digest's 32 bytes as two numbers, most significant byte first.
    package static func firstHalf(of text: String) -> (high: UInt64, low: UInt64) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(SHA256_DIGEST_LENGTH)) { digest in
            digest.initialize(repeating: 0)
            text.withUTF8Bytes { webimage_sha256($0.baseAddress, $0.count, digest.baseAddress) }
            return (number(digest[0..<8]), number(digest[8..<16]))
        }
    }

    /// The whole digest, in hexadecimal digits.
    package static func text(of bytes: Data) -> String {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        bytes.withUnsafeBytes { webimage_sha256($0.baseAddress, $0.count, &digest) }
        return digest.reduce(into: "") { text, byte in
            for half in [byte >> 4, byte & 15] { text += String(half, radix: 16) }
        }
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
