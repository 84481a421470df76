import FoundationEssentials
import WebImageTesting

/// Writes baseline JPEG files of any layout, with random blocks, and codes of all lengths.
struct BaselineJPEG: Sendable, CustomStringConvertible {
    var width = 203
    var height = 157
    /// The factors of each component, across and down.
    var sampling: [(Int, Int)] = [(2, 2), (1, 1), (1, 1)]
    /// Groups between restart markers; 0 for none.
    var restartInterval = 0
    var orientation = 1
    var isAdobe = false
    var seed: UInt64 = 1

    var description: String {
        let factors = sampling.map { "\($0.0)x\($0.1)" }.joined(separator: " ")
        return "\(width)×\(height) \(factors), restart \(restartInterval), orientation \(orientation)"
    }

    // The number of codes of each length, from 1 to 16.
    private static let averageLengths: [UInt8] = [0, 0, 4, 4, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    private static let otherLengths: [UInt8] = [0, 2, 0, 4, 0, 0, 0, 32, 0, 0, 100, 0, 0, 0, 0, 24]

    private static let averageSymbols: [UInt8] = Array(0..<12)
    /// The end of a block first, then runs of zeros and sizes, the usual ones first.
    private static let otherSymbols: [UInt8] = {
        var symbols: [UInt8] = [0x00, 0x01, 0xF0]
        for run in UInt8(0)..<16 {
            for size in UInt8(1)...10 where run << 4 | size != 0x01 { symbols.append(run << 4 | size) }
        }
        return symbols
    }()

    private static func codes(_ lengths: [UInt8], _ symbols: [UInt8]) -> [UInt8: (bits: Int, length: Int)] {
        var (code, place, result): (Int, Int, [UInt8: (bits: Int, length: Int)]) = (0, 0, [:])
        for (length, count) in lengths.enumerated() {
            for _ in 0..<count {
                result[symbols[place]] = (code, length + 1)
                code += 1
                place += 1
            }
            code <<= 1
        }
        return result
    }

    private static let averageCodes = codes(averageLengths, averageSymbols)
    private static let otherCodes = codes(otherLengths, otherSymbols)

    /// The file.
    func data() -> Data {
        var bytes: [UInt8] = [0xFF, 0xD8]
        func segment(_ marker: UInt8, _ content: [UInt8]) {
            let count = content.count + 2
            bytes += [0xFF, marker, UInt8(count >> 8), UInt8(count & 255)] + content
        }
        segment(
            0xE1,
            Array("Exif\0\0II*\0".utf8) + [
                8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0, 0,
            ])
        if isAdobe { segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0]) }
        segment(0xDB, [0] + (0..<64).map { UInt8(3 + $0 / 4) })
        let sides: [UInt8] = [UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)]
        segment(
            0xC0,
            [8] + sides + [UInt8(sampling.count)]
                + sampling.enumerated().flatMap { [UInt8($0 + 1), UInt8($1.0 << 4 | $1.1), 0] })
        segment(0xC4, [0x00] + Self.averageLengths + Self.averageSymbols)
        segment(0xC4, [0x10] + Self.otherLengths + Self.otherSymbols)
        if restartInterval > 0 { segment(0xDD, [UInt8(restartInterval >> 8), UInt8(restartInterval & 255)]) }
        segment(0xDA, [UInt8(sampling.count)] + sampling.indices.flatMap { [UInt8($0 + 1), 0] } + [0, 63, 0])
        bytes += scan()
        return Data(bytes + [0xFF, 0xD9])
    }

    private func scan() -> [UInt8] {
        var (writer, random) = (BitWriter(), SeededGenerator(seed: seed))
        let isSingle = sampling.count == 1
        let across = isSingle ? 1 : sampling.map(\.0).max() ?? 1
        let down = isSingle ? 1 : sampling.map(\.1).max() ?? 1
        let groups = ((width + 8 * across - 1) / (8 * across)) * ((height + 8 * down - 1) / (8 * down))
        var last = [Int](repeating: 0, count: sampling.count)
        for group in 0..<groups {
            if restartInterval > 0, group > 0, group % restartInterval == 0 {
                writer.align()
                writer.bytes += [0xFF, 0xD0 + UInt8((group / restartInterval - 1) % 8)]
                last = last.map { _ in 0 }
            }
            for (component, factors) in sampling.enumerated() {
                for _ in 0..<(isSingle ? 1 : factors.0 * factors.1) {
                    let average = max(-300, min(300, last[component] + Int.random(in: -60...60, using: &random)))
                    writeBlock(average - last[component], &writer, &random)
                    last[component] = average
                }
            }
        }
        writer.align()
        return writer.bytes
    }

    private func writeBlock(_ difference: Int, _ writer: inout BitWriter, _ random: inout SeededGenerator) {
        writer.put(Self.averageCodes, UInt8(Self.size(difference)), difference)
        var place = 1
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            let run = Int.random(in: 0...10, using: &random)
            guard place + run < 64 else { break }
            let value = Int.random(in: 1...12, using: &random) * (Bool.random(using: &random) ? 1 : -1)
            writer.put(Self.otherCodes, UInt8(run << 4 | Self.size(value)), value)
            place += run + 1
        }
        if place < 64 { writer.put(Self.otherCodes, 0, 0) }
    }

    private static func size(_ value: Int) -> Int { Int.bitWidth - abs(value).leadingZeroBitCount }
}

private struct BitWriter {
    var bytes: [UInt8] = []
    private var bits = 0
    private var count = 0

    /// A code, and the bits of a value behind it.
    mutating func put(_ codes: [UInt8: (bits: Int, length: Int)], _ symbol: UInt8, _ value: Int) {
        guard let code = codes[symbol] else { preconditionFailure("no code for \(symbol)") }
        put(code.bits, code.length)
        let size = Int(symbol & 15)
        put((value < 0 ? value - 1 : value) & ((1 << size) - 1), size)
    }

    mutating func put(_ value: Int, _ length: Int) {
        bits = bits << length | value
        count += length
        while count >= 8 {
            let byte = UInt8(bits >> (count - 8) & 255)
            bytes.append(byte)
            if byte == 0xFF { bytes.append(0) }
            count -= 8
        }
        bits &= (1 << count) - 1
    }

    mutating func align() {
        let padding = (8 - count % 8) % 8
        put((1 << padding) - 1, padding)
    }
}
