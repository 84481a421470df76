import CCrypto
import Synchronization

/// The text in place of a password in a cache's keys and in the rights of its entries: two passwords of one URL have
/// two digests, and none tells a password.
///
/// PBKDF2 (RFC 8018 §5.2), salted with the user and the host, so that trying out passwords for a key that stands on a disk
/// takes thousands of times as long as with a plain digest.
package enum PasswordDigest {
    private static let iterationCount: Int32 = 10_000
    /// An asterisk, then 16 digits.
    private static let length = 17
    /// Some milliseconds each, so that those of the latest URLs are kept.
    private static let known = Mutex<[Source: String]>([:])
    private static let knownLimit = 100

    private struct Source: Hashable {
        let password: String
        let salt: String
    }

    /// The digest of the password at `range` of a text, with what surrounds it in the URL as salt.
    static func text(of range: Range<Int>, in text: UnsafeRawBufferPointer) -> String {
        let userStart = text[..<range.lowerBound].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        let hostEnd = text[range.upperBound...].firstIndex(of: UInt8(ascii: "/")) ?? text.endIndex
        let salt = Array(text[userStart..<range.lowerBound]) + text[range.upperBound..<hostEnd]
        return digest(
            Source(password: String(decoding: text[range], as: UTF8.self), salt: String(decoding: salt, as: UTF8.self)))
    }

    /// The digest of a password, with `salt`, as a number; never 0.
    package static func number(of password: String, salt: String) -> UInt64 {
        max(1, UInt64(digest(Source(password: password, salt: salt)).dropFirst(), radix: 16) ?? 0)
    }

    private static func digest(_ source: Source) -> String {
        if let digest = known.withLock({ $0[source] }) { return digest }
        let digest = make(source)
        known.withLock { known in
            if known.count >= knownLimit { known = [:] }
            known[source] = digest
        }
        return digest
    }

    static func isDigest(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        text.count == length && text.first == UInt8(ascii: "*")
            && text.dropFirst().allSatisfy { byte in "0123456789abcdef".utf8.contains(byte) }
    }

    private static func make(_ source: Source) -> String {
        let salt = Array(source.salt.utf8)
        let digest = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 8) { digest in
            digest.initialize(repeating: 0)
            let isDone = source.password.withUTF8Bytes { password in
                PKCS5_PBKDF2_HMAC(
                    password.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: password.count), salt,
                    Int32(clamping: salt.count), iterationCount, EVP_sha256(), Int32(digest.count), digest.baseAddress)
            }
            precondition(isDone == 1, "libcrypto has no SHA-256, which every build of it has")
            return digest.reduce(0) { $0 << 8 | UInt64($1) }
        }
        let digits = String(digest, radix: 16)
        return "*" + String(repeating: "0", count: length - 1 - digits.utf8.count) + digits
    }
}
