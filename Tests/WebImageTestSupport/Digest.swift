import CCrypto
import FoundationEssentials

/// Digests in hexadecimal digits, as in the corpus.
package enum Digest {
    package static func sha256(_ bytes: some ContiguousBytes) -> String { digest(bytes, EVP_sha256()) }
    package static func md5(_ bytes: some ContiguousBytes) -> String { digest(bytes, EVP_md5()) }

    private static func digest(_ bytes: some ContiguousBytes, _ algorithm: OpaquePointer?) -> String {
        var result = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        bytes.withUnsafeBytes { _ = EVP_Digest($0.baseAddress, $0.count, &result, &count, algorithm, nil) }
        return result.prefix(Int(count)).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
