import Testing
import WebImageTesting

@testable import WebImageCore

@Suite("Key fingerprints")
struct KeyFingerprintTests {
    private func fingerprint(_ bytes: [UInt8]) -> KeyFingerprint { bytes.withUnsafeBytes { KeyFingerprint($0) } }

    @Test("each byte of a text changes both halves, at every length around the blocks' ends")
    func everyByte() {
        var random = SeededGenerator(seed: 1)
        for length in Array(0...40) + [255, 256, 257, 271, 272, 273, 512, 513, 1000] {
            var text = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            var seen = [fingerprint(text), fingerprint(text + [0])]
            for index in text.indices {
                text[index] ^= 0x80
                seen.append(fingerprint(text))
                text[index] ^= 0x80
            }
            #expect(Set(seen.map(\.low)).count == length + 2)
            #expect(Set(seen.map(\.high)).count == length + 2)
        }
    }

    @Test("zeros count: texts of zeros differ by their length")
    func zeros() {
        let lengths = 0...600
        #expect(Set(lengths.map { fingerprint([UInt8](repeating: 0, count: $0)) }).count == lengths.count)
    }

    @Test("equal texts have equal fingerprints, wherever they stand in memory")
    func position() {
        let text = Array("https://example.org/pictures/some/where/1.jpg".utf8)
        for offset in 0..<16 {
            let copy = [UInt8](repeating: 7, count: offset) + text
            #expect(copy.withUnsafeBytes { KeyFingerprint(.init(rebasing: $0[offset...])) } == fingerprint(text))
        }
    }

    @Test("URLs that count up fill the places of a table evenly, by the low bits of both halves")
    func spread() {
        var low = [Int](repeating: 0, count: 256)
        var high = low
        for number in 0..<25_600 {
            let fingerprint = CacheKey("https://example.org/pictures/\(number).jpg").fingerprint
            low[Int(fingerprint.low & 255)] += 1
            high[Int(fingerprint.high & 255)] += 1
        }
        // About a hundred each; five standard deviations are ten.
        for counts in [low, high] { #expect(counts.allSatisfy { (45...165).contains($0) }) }
    }
}
