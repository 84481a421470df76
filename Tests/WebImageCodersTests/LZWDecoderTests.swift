import Testing
import WebImageTesting

@testable import WebImageCoders
@testable import WebImageTestDoubles

@Suite("LZW")
struct LZWDecoderTests {
    /// Decodes codes of two-bit pixels into room for `count` of them.
    private func decode(_ codes: [(code: Int, size: Int)], count: Int, minimumCodeSize: Int = 2) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: count + LZWDecoder.outputSlack)
        var span = output.mutableSpan
        var bytes = span.mutableBytes
        var decoder = LZWDecoder()
        decoder.restart(minimumCodeSize: minimumCodeSize)
        let written = decoder.decode(GIFBuilder.pack(codes).span, into: &bytes)
        return Array(output.prefix(written))
    }

    @Test("a code may be used while it is being defined")
    func selfReference() {
        // 6 means "1 1" when it is read, 7 means "1 1 1".
        #expect(decode([(4, 3), (1, 3), (6, 3), (7, 3), (5, 4)], count: 6) == [1, 1, 1, 1, 1, 1])
    }

    @Test("strings of many pixels are copied whole, also onto their own definition")
    func longStrings() {
        let lengths = 1...40
        var codes = [(4, 3), (2, 3)]
        var size = 3
        for (index, _) in lengths.dropFirst().enumerated() {
            // Each code is the one that is being defined: a string one pixel longer than the last one.
            codes.append((6 + index, size))
            if 6 + index + 1 == 1 << size { size += 1 }
        }
        let total = lengths.reduce(0, +)
        #expect(decode(codes, count: total) == [UInt8](repeating: 2, count: total))
    }

    @Test("a full dictionary stays as it is until it is cleared")
    func deferredClear() {
        var codes = [(256, 9)]
        var next = 258
        var size = 9
        var expected: [UInt8] = []
        for index in 0..<6000 {
            let pixel = UInt8(truncatingIfNeeded: index * 31 + index / 256)
            codes.append((Int(pixel), size))
            expected.append(pixel)
            if index > 0, next < 4096 { next += 1 }
            if next == 1 << size, size < 12 { size += 1 }
        }
        codes += [(4095, 12), (256, 12), (7, 9), (257, 9)]
        // The last defined code is the pair of the pixels 3837 and 3838.
        expected += [expected[4095 - 258], expected[4095 - 258 + 1], 7]
        #expect(decode(codes, count: expected.count + 5, minimumCodeSize: 8) == expected)
    }

    @Test("decoding needs neither a clear code at the beginning nor an end code")
    func withoutFrame() {
        #expect(decode([(1, 3), (2, 3)], count: 2) == [1, 2])
    }

    @Test("bytes after the last pixel are ignored")
    func surplus() {
        #expect(decode([(4, 3), (1, 3), (6, 3), (7, 3)], count: 2) == [1, 1])
    }

    @Test("decoding stops at a code that means nothing yet")
    func undefinedCode() {
        #expect(decode([(4, 3), (1, 3), (7, 3), (1, 3)], count: 9) == [1])
        #expect(decode([(4, 3), (6, 3), (1, 3)], count: 9) == [])
    }

    @Test("decoding stops where codes end")
    func shortInput() {
        #expect(decode([(4, 3), (1, 3), (5, 3)], count: 9) == [1])
        #expect(decode([(4, 3), (5, 3)], count: 9) == [])
        #expect(decode([], count: 9) == [])
    }

    @Test("codes wider than a pixel needs are accepted", arguments: [9, 11])
    func wideCodes(minimumCodeSize: Int) {
        let size = minimumCodeSize + 1
        let clear = 1 << minimumCodeSize
        let codes = [(clear, size), (3, size), (clear + 2, size), (clear + 1, size)]
        #expect(decode(codes, count: 5, minimumCodeSize: minimumCodeSize) == [3, 3, 3])
    }

    @Test("codes may come in pieces of any length")
    func pieces() {
        let codes = GIFBuilder.pack([(4, 3), (1, 3), (6, 3), (7, 3), (5, 4)])
        for size in 1...codes.count {
            var output = [UInt8](repeating: 0, count: 6 + LZWDecoder.outputSlack)
            var span = output.mutableSpan
            var bytes = span.mutableBytes
            var decoder = LZWDecoder()
            decoder.restart(minimumCodeSize: 2)
            for start in stride(from: 0, to: codes.count, by: size) {
                _ = decoder.decode(Array(codes[start..<min(start + size, codes.count)]).span, into: &bytes)
            }
            #expect(decoder.writtenCount == 6)
            #expect(output.prefix(6).elementsEqual([1, 1, 1, 1, 1, 1]))
        }
    }

    @Test("random bytes never write outside the output")
    func randomInput() {
        var generator = SeededGenerator(seed: 11)
        var decoder = LZWDecoder()
        for _ in 0..<2000 {
            let input = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let count = Int.random(in: 1...300, using: &generator)
            var output = [UInt8](repeating: 0xAA, count: count + LZWDecoder.outputSlack)
            var span = output.mutableSpan
            var bytes = span.mutableBytes
            decoder.restart(minimumCodeSize: Int.random(in: 1...11, using: &generator))
            #expect(decoder.decode(input.span, into: &bytes) <= count)
        }
    }
}
