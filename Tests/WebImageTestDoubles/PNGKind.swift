import FoundationEssentials

/// A kind of pixel, and the picture that the tests write in it: 11 × 9 samples made by a formula.
struct PNGKind: CustomStringConvertible, Sendable {
    let colorType: Int
    let bitDepth: Int
    var isInterlaced = false

    static let width = 11
    static let height = 9
    /// Red, green, blue of 16 palette entries; the first three are translucent.
    static let palette: [[UInt8]] = (0..<16).map { (index: UInt8) in [index * 16, 255 - index * 16, index * 7] }
    static let paletteAlpha: [UInt8] = [0, 77, 200]

    static let all: [PNGKind] = [false, true].flatMap { isInterlaced in
        bitDepths.flatMap { colorType, bitDepths in
            bitDepths.map { PNGKind(colorType: colorType, bitDepth: $0, isInterlaced: isInterlaced) }
        }
    }

    private static let bitDepths: [(colorType: Int, bitDepths: [Int])] = [
        (0, [1, 2, 4, 8, 16]), (2, [8, 16]), (3, [1, 2, 4, 8]), (4, [8, 16]), (6, [8, 16]),
    ]

    var description: String { "type \(colorType), \(bitDepth) bits\(isInterlaced ? ", interlaced" : "")" }

    var channelCount: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] ?? 0 }

    func sample(_ x: Int, _ y: Int, _ channel: Int) -> Int {
        let value = x * 7001 + y * 3307 + channel * 13_009
        return colorType == 3 ? value % min(16, 1 << bitDepth) : value % (1 << bitDepth)
    }

    /// The expected pixel in 8-bit RGBA.
    func expected(_ x: Int, _ y: Int) -> [UInt8] {
        if colorType == 3 {
            let index = sample(x, y, 0)
            let alpha = index < Self.paletteAlpha.count ? Self.paletteAlpha[index] : 255
            return Self.palette[index] + [alpha]
        }
        let samples = (0..<channelCount).map { channel -> UInt8 in
            let value = sample(x, y, channel)
            let largest = (1 << bitDepth) - 1
            return UInt8((value * 255 + largest / 2) / largest)
        }
        switch colorType {
        case 0: return [samples[0], samples[0], samples[0], 255]
        case 2: return samples + [255]
        case 4: return [samples[0], samples[0], samples[0], samples[1]]
        default: return samples
        }
    }

    var file: Data {
        var builder = PNGBuilder()
        builder.appendHeader(
            width: Self.width, height: Self.height, bitDepth: bitDepth, colorType: colorType,
            isInterlaced: isInterlaced)
        if colorType == 3 {
            builder.append("PLTE", Array(Self.palette.prefix(1 << bitDepth).joined()))
            builder.append("tRNS", Array(Self.paletteAlpha.prefix(1 << bitDepth)))
        }
        builder.appendPixels(isInterlaced ? interlacedRows : rows(stride(from: 0, to: Self.width, by: 1), 0, 1))
        builder.appendEnd()
        return builder.data
    }

    /// Adam7 (PNG §8.2): start and step of x and y in each pass.
    private static let passes: [(x: Int, stepX: Int, y: Int, stepY: Int)] = [
        (0, 8, 0, 8), (4, 8, 0, 8), (0, 4, 4, 8), (2, 4, 0, 4), (0, 2, 2, 4), (1, 2, 0, 2),
        (0, 1, 1, 2),
    ]

    private var interlacedRows: [UInt8] {
        Self.passes.flatMap { rows(stride(from: $0.x, to: Self.width, by: $0.stepX), $0.y, $0.stepY) }
    }

    private func rows(_ columns: StrideTo<Int>, _ firstRow: Int, _ rowStep: Int) -> [UInt8] {
        stride(from: firstRow, to: Self.height, by: rowStep).flatMap { y in
            let samples = columns.flatMap { x in (0..<channelCount).map { sample(x, y, $0) } }
            return [0] + pack(samples)
        }
    }

    private func pack(_ samples: [Int]) -> [UInt8] {
        if bitDepth == 16 { return samples.flatMap { PNGBuilder.bigEndian($0, bytes: 2) } }
        let samplesPerByte = 8 / bitDepth
        var bytes = [UInt8](repeating: 0, count: (samples.count + samplesPerByte - 1) / samplesPerByte)
        for (index, sample) in samples.enumerated() {
            let place = samplesPerByte - 1 - index % samplesPerByte
            bytes[index / samplesPerByte] |= UInt8(sample << (place * bitDepth))
        }
        return bytes
    }
}
