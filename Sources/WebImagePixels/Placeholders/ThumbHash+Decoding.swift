import FoundationEssentials
import WebImageCore

extension ThumbHash {
    /// The mean colour of the picture.
    public var averageColor: RGBAColor { RGBAColor(Self.pixel(numbers.means)) }

    /// The blurred picture, 8 bits a channel, in sRGB.
    ///
    /// Blocks, for microseconds in a small size; any thread. Views enlarge a small one smoothly.
    /// - Parameter size: In pixels, each side 1 to 4096; nil, the default, for the hash's own proportions with a longer side
    ///   of 32.
    /// - Throws: ``WebImageError/Code/limitExceeded`` for other sizes, and when there is no memory.
    public func bitmap(size: PixelSize? = nil) throws(WebImageError) -> Bitmap {
        let size = size ?? PlaceholderSizes.size(aspectRatio: aspectRatio) ?? PixelSize(width: 1, height: 1)
        try PlaceholderSizes.check(size)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(size.area * 4)
        CosineTable.forEachSum(
            of: waves, columns: CosineTable(waveCount: layout.waveColumns, length: size.width, phase: 0.5),
            rows: CosineTable(waveCount: layout.waveRows, length: size.height, phase: 0.5)
        ) { sum in
            let pixel = Self.pixel(sum)
            pixels.append(Self.premultiplied(pixel.x, pixel.w))
            pixels.append(Self.premultiplied(pixel.y, pixel.w))
            pixels.append(Self.premultiplied(pixel.z, pixel.w))
            pixels.append(pixel.w)
        }
        return try Bitmap(size: size, pixels: pixels)
    }

    private static func premultiplied(_ channel: UInt8, _ alpha: UInt8) -> UInt8 {
        alpha == .max ? channel : UInt8((Int(channel) * Int(alpha) + 127) / 255)
    }

    /// From luminance, yellow against blue, red against green and alpha to straight red, green, blue and alpha. Cut to whole
    /// numbers, as in the format's reference.
    private static func pixel(_ channels: SIMD4<Double>) -> SIMD4<UInt8> {
        let blue = channels.x - 2.0 / 3 * channels.y
        let red = (3 * channels.x - blue + channels.z) / 2
        let straight = SIMD4(red, red - channels.z, blue, channels.w) * 255
        let whole = pointwiseMin(pointwiseMax(straight, .zero), SIMD4(repeating: 255))
        return SIMD4(UInt8(whole.x), UInt8(whole.y), UInt8(whole.z), UInt8(whole.w))
    }

    /// The waves of all channels, row by row.
    private var waves: [SIMD4<Double>] {
        let (numbers, columns) = (numbers, layout.waveColumns)
        var waves = [SIMD4<Double>](repeating: .zero, count: columns * layout.waveRows)
        waves[0] = numbers.means
        var place = layout.wavesOffset * 2
        for (channel, triangle) in layout.channels.enumerated() {
            for wave in triangle.waves {
                let step = Double(bytes[place / 2] >> (place % 2 == 0 ? 0 : 4) & 15)
                waves[wave.row * columns + wave.column][channel] = 2 * (step / 7.5 - 1) * numbers.largest[channel]
                place += 1
            }
        }
        return waves
    }

    /// The means and the largest waves of luminance, yellow against blue, red against green, and alpha. Colours are a
    /// quarter stronger than in the hash, as in the format's reference, since rounding takes some of them.
    private var numbers: (means: SIMD4<Double>, largest: SIMD4<Double>) {
        let bits = bytes.prefix(6).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        func number(_ start: Int, _ count: Int) -> Double { Double(bits >> UInt64(start) & ((1 << UInt64(count)) - 1)) }
        return (
            SIMD4(
                number(0, 6) / 63, number(6, 6) / 31.5 - 1, number(12, 6) / 31.5 - 1,
                hasAlpha ? number(40, 4) / 15 : 1),
            SIMD4(
                number(18, 5) / 31, number(27, 6) / 63 * 1.25, number(33, 6) / 63 * 1.25,
                hasAlpha ? number(44, 4) / 15 : 0)
        )
    }
}

extension RGBAColor {
    /// A colour from straight red, green, blue and alpha.
    fileprivate init(_ pixel: SIMD4<UInt8>) {
        self.init(red: pixel.x, green: pixel.y, blue: pixel.z, alpha: pixel.w)
    }
}
