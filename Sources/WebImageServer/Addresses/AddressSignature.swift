import CCrypto
import FoundationEssentials

/// The keys that addresses are signed with: HMAC-SHA256 over salt and path, in URL-safe Base64 without padding.
///
/// Any pair of key and salt will do, so that a new one can come before the old one goes.
struct AddressSignature: Sendable {
    /// One key with its salt.
    struct Pair: Sendable, Equatable {
        let key: [UInt8]
        let salt: [UInt8]

        /// From the bytes themselves.
        init(key: [UInt8], salt: [UInt8]) {
            self.key = key
            self.salt = salt
        }

        /// From hexadecimal digits, two for each byte; nil for any other text.
        init?(hexKey: String, hexSalt: String) {
            guard let key = Self.bytes(of: hexKey), let salt = Self.bytes(of: hexSalt) else { return nil }
            self.init(key: key, salt: salt)
        }

        private static func bytes(of text: String) -> [UInt8]? {
            let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
            guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
            return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        }
    }

    /// At least one: without any, no address is right.
    var pairs: [Pair]
    /// Bytes of a digest that count, 1 to 32.
    var byteCount: Int

    /// - Parameters:
    ///   - pairs: In any order.
    ///   - byteCount: Bytes of a digest that count, from its beginning; by default all 32.
    init(pairs: [Pair], byteCount: Int = 32) {
        self.pairs = pairs
        self.byteCount = min(max(byteCount, 1), 32)
    }

    /// The signature of a path, by the first pair; nil without pairs.
    func signature(of path: String) -> String? {
        pairs.first.map { Data(digest(of: path, by: $0)).urlSafeBase64 }
    }

    /// Whether a path has this signature. The time that this takes does not tell how much of it is right.
    func accepts(_ signature: String, of path: String) -> Bool {
        let given = Array(signature.utf8)
        // All pairs, whichever fits: the time must not tell that either.
        return pairs.reduce(false) { isRight, pair in
            let expected = Array(Data(digest(of: path, by: pair)).urlSafeBase64.utf8)
            let fits = given.count == expected.count && CRYPTO_memcmp(given, expected, expected.count) == 0
            return isRight || fits
        }
    }

    private func digest(of path: String, by pair: Pair) -> [UInt8] {
        let message = pair.salt + Array(path.utf8)
        var digest = [UInt8](repeating: 0, count: 32)
        var count: UInt32 = 0
        HMAC(EVP_sha256(), pair.key, Int32(clamping: pair.key.count), message, message.count, &digest, &count)
        return Array(digest.prefix(byteCount))
    }
}

extension Data {
    fileprivate var urlSafeBase64: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
