/// 128 bits that represent a key's bytes within this process, and never outside it.
///
/// NH of UMAC (Black, Halevi, Krawczyk, Krovetz, Rogaway: "UMAC: Fast and Secure Message Authentication", CRYPTO '99,
/// §4) on words of 64 bits: it adds a secret number to each word, multiplies pairs, and sums up the products. Without
/// the secrets, two texts of up to 256 bytes with the same sum can be found only by chance, with a probability of 2⁻⁶⁴
/// for each pair. There are two sums, which use the same secrets shifted by two places (Toeplitz, §4.3), so that the
/// probability is 2⁻¹²⁸. Longer texts are chains of such blocks.
package struct KeyFingerprint: Sendable, Hashable {
    /// Determines the place in a table.
    package let low: UInt64
    /// Distinguishes keys of the same place.
    package let high: UInt64

    init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    package init(_ text: borrowing String) { self = text.withUTF8Bytes { KeyFingerprint($0) } }

    init(_ bytes: UnsafeRawBufferPointer) {
        let secrets = KeySecrets.ofProcess
        // The length is part of each sum: missing bytes count as zeros, which a text may contain as well.
        var sums = Sums(length: bytes.count)
        var start = 0
        repeat {
            let end = min(start &+ Self.blockSize, bytes.count)
            sums.chain(secrets)
            sums.add(bytes, from: start, to: end, secrets)
            start = end
        } while start < bytes.count
        // A sum's lowest bits depend on few bits of the text.
        low = sums.first.folded(secrets[38], secrets[39])
        high = sums.second.folded(secrets[40], secrets[41])
    }

    /// Compares both parts.
    @inlinable
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.low == rhs.low && lhs.high == rhs.high }

    /// Feeds a part that is already mixed.
    @inlinable
    package func hash(into hasher: inout Hasher) { hasher.combine(low) }

    private static let blockSize = 256

    /// The sums of the bytes so far, with two rows of secrets.
    private struct Sums {
        private(set) var first: WordPair
        private(set) var second: WordPair

        init(length: Int) {
            first = WordPair(low: UInt64(length), high: 0)
            second = first
        }

        /// Makes each sum the first pair of words of the next block.
        @inline(__always)
        mutating func chain(_ secrets: KeySecrets) {
            first = first.product(secrets[34], secrets[35])
            second = second.product(secrets[36], secrets[37])
        }

        @inline(__always)
        mutating func add(_ bytes: UnsafeRawBufferPointer, from start: Int, to end: Int, _ secrets: KeySecrets) {
            var (offset, secret) = (start, 0)
            while offset &+ 16 <= end {
                add(bytes.words(at: offset), secrets, secret)
                offset &+= 16
                secret &+= 2
            }
            if offset < end { add(bytes.lastWords(before: end, from: offset), secrets, secret) }
        }

        @inline(__always)
        private mutating func add(_ words: WordPair, _ secrets: KeySecrets, _ index: Int) {
            first.add(words.product(secrets[index], secrets[index &+ 1]))
            second.add(words.product(secrets[index &+ 2], secrets[index &+ 3]))
        }
    }
}

/// Two words of a text, or a number of 128 bits. The standard library's takes seconds for the key of some megabytes without
/// the optimizer.
private struct WordPair {
    private(set) var low: UInt64
    private(set) var high: UInt64

    /// The product of both, each with its secret added.
    @inline(__always)
    func product(_ first: UInt64, _ second: UInt64) -> WordPair {
        let product = (low &+ first).multipliedFullWidth(by: high &+ second)
        return WordPair(low: product.low, high: product.high)
    }

    /// Adds another number.
    @inline(__always)
    mutating func add(_ other: WordPair) {
        let (sum, isCarried) = low.addingReportingOverflow(other.low)
        low = sum
        high = high &+ other.high &+ (isCarried ? 1 : 0)
    }

    /// Appends a byte, and drops the first one.
    mutating func append(_ byte: UInt8) {
        high = high << 8 | low >> 56
        low = low << 8 | UInt64(byte)
    }

    /// All bits mixed into 64.
    @inline(__always)
    func folded(_ first: UInt64, _ second: UInt64) -> UInt64 {
        let product = product(first, second)
        return product.low ^ product.high
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func words(at offset: Int) -> WordPair {
        WordPair(
            low: loadUnaligned(fromByteOffset: offset, as: UInt64.self),
            high: loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self))
    }

    /// The bytes of the last, shorter block, in any way that loses none of them.
    fileprivate func lastWords(before end: Int, from start: Int) -> WordPair {
        if end >= 16 { return words(at: end - 16) }
        var words = WordPair(low: 0, high: 0)
        for index in start..<end { words.append(self[index]) }
        return words
    }
}

/// Random numbers from the start of the process, so that no remote party can aim at one place of a table.
///
/// `@unchecked Sendable`: never written after their initialization.
private struct KeySecrets: @unchecked Sendable {
    static let ofProcess = KeySecrets()
    /// 34 for the words of a block in two rows, 4 to chain blocks, 4 to mix the sums.
    private static let count = 42
    private let numbers: UnsafeMutablePointer<UInt64>

    private init() {
        numbers = .allocate(capacity: Self.count)
        for index in 0..<Self.count { numbers.advanced(by: index).initialize(to: .random(in: .min ... .max)) }
    }

    /// - Parameter index: Less than 42.
    subscript(index: Int) -> UInt64 { numbers[index] }
}
