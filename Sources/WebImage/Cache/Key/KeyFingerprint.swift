/// 128 bits that stand for a key's bytes within this process, and never outside it.
///
/// NH of UMAC (Black, Halevi, Krawczyk, Krovetz, Rogaway: "UMAC: Fast and Secure Message Authentication", CRYPTO '99, §4)
/// on words of 64 bits: to each word a secret number is added, pairs are multiplied, the products are summed up. Whoever
/// does not know the secrets finds two texts of up to 256 bytes with one sum by luck only, with a chance of 2⁻⁶⁴ a pair.
/// Longer texts are chains of such blocks. Who finds something by a fingerprint compares the keys as well.
struct KeyFingerprint: Sendable, Hashable {
    /// For the place in a table.
    let low: UInt64
    /// Tells apart what shares a place.
    let high: UInt64

    init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    init(_ bytes: UnsafeRawBufferPointer) {
        let secrets = KeySecrets.ofProcess
        // The length goes into each sum: bytes that are missing count as zeros, which a text may hold as well.
        var digest = UInt128(bytes.count)
        var start = 0
        repeat {
            let end = min(start &+ Self.blockSize, bytes.count)
            digest = Self.sum(of: bytes, from: start, to: end, after: digest, secrets)
            start = end
        } while start < bytes.count
        // A sum's lowest bits depend on few bits of the text: both halves are mixed, each in two ways.
        let halves = digest.halves
        low = Self.folded(halves.low ^ secrets[34], halves.high ^ secrets[35])
        high = Self.folded(halves.low ^ secrets[36], halves.high ^ secrets[37])
    }

    /// Feeds a part that is mixed already.
    func hash(into hasher: inout Hasher) { hasher.combine(low) }

    private static let blockSize = 256

    @inline(__always)
    private static func sum(
        of bytes: UnsafeRawBufferPointer, from start: Int, to end: Int, after digest: UInt128, _ secrets: KeySecrets
    ) -> UInt128 {
        let halves = digest.halves
        var sum = product(halves.low &+ secrets[32], halves.high &+ secrets[33])
        var (offset, secret) = (start, 0)
        while offset &+ 16 <= end {
            let words = bytes.words(at: offset)
            sum &+= product(words.0 &+ secrets[secret], words.1 &+ secrets[secret &+ 1])
            offset &+= 16
            secret &+= 2
        }
        guard offset < end else { return sum }
        let words = bytes.lastWords(before: end, from: offset)
        return sum &+ product(words.0 &+ secrets[secret], words.1 &+ secrets[secret &+ 1])
    }

    @inline(__always)
    private static func product(_ first: UInt64, _ second: UInt64) -> UInt128 { UInt128(first) &* UInt128(second) }

    private static func folded(_ first: UInt64, _ second: UInt64) -> UInt64 {
        let halves = product(first, second).halves
        return halves.low ^ halves.high
    }
}

extension UInt128 {
    fileprivate var halves: (low: UInt64, high: UInt64) {
        (UInt64(truncatingIfNeeded: self), UInt64(truncatingIfNeeded: self >> 64))
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func words(at offset: Int) -> (UInt64, UInt64) {
        (
            loadUnaligned(fromByteOffset: offset, as: UInt64.self),
            loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self)
        )
    }

    /// The bytes of the last, shorter block, in any way that loses none of them.
    fileprivate func lastWords(before end: Int, from start: Int) -> (UInt64, UInt64) {
        if end >= 16 { return words(at: end - 16) }
        var words: (UInt64, UInt64) = (0, 0)
        for index in start..<end { words = (words.0 << 8 | words.1 >> 56, words.1 << 8 | UInt64(self[index])) }
        return words
    }
}

/// Random numbers since the process started, so that nobody outside can aim at one place of a table.
///
/// `@unchecked Sendable`: nobody writes them any more.
private struct KeySecrets: @unchecked Sendable {
    static let ofProcess = KeySecrets()
    private let numbers: UnsafeMutablePointer<UInt64>

    private init() {
        numbers = .allocate(capacity: 38)
        for index in 0..<38 { numbers.advanced(by: index).initialize(to: .random(in: .min ... .max)) }
    }

    /// - Parameter index: Less than 38.
    subscript(index: Int) -> UInt64 { numbers[index] }
}
