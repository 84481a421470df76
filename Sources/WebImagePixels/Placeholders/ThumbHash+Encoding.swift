import FoundationEssentials
import WebImageCore

extension ThumbHash {
    /// The hash of a picture, in any depth and with any kind of alpha.
    ///
    /// A picture with a side above 100 pixels is reduced first. Blocks, for microseconds in a small picture; any thread.
    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory.
    public init(of bitmap: Bitmap) throws(WebImageError) {
        let samples = try bitmap.samples(within: PlaceholderSizes.largestSource)
        let layout = ThumbHashLayout(size: samples.size, hasAlpha: !samples.isOpaque)
        let means = CosineTable.means(
            of: samples.channels,
            columns: CosineTable(waveCount: layout.waveColumns, length: samples.size.width, phase: 0.5),
            rows: CosineTable(waveCount: layout.waveRows, length: samples.size.height, phase: 0.5))
        let channels = layout.channels.enumerated().map { index, triangle in
            Channel(triangle, of: means.map { $0[index] }, columns: layout.waveColumns, size: samples.size)
        }
        try self.init(Data(Self.bytes(channels, layout)))
    }

    /// The waves of one channel.
    private struct Channel {
        let mean: Double
        let largest: Double
        /// 0 to 1, where ½ is none.
        let waves: [Double]

        /// - Parameter size: A picture has no waves that are shorter than two of its pixels. Those of the reference are other
        ///   ones then, which a decoder takes for waves.
        init(_ triangle: ThumbHashLayout.Triangle, of means: [Double], columns: Int, size: PixelSize) {
            let values = triangle.waves.map { wave in
                wave.column < size.width && wave.row < size.height ? means[wave.row * columns + wave.column] : 0
            }
            let largest = values.reduce(0) { max($0, abs($1)) }
            mean = means[0]
            waves = largest > 0 ? values.map { 0.5 + 0.5 / largest * $0 } : values
            self.largest = largest
        }
    }

    private static func bytes(_ channels: [Channel], _ layout: ThumbHashLayout) -> [UInt8] {
        let (luminance, yellow, red) = (channels[0], channels[1], channels[2])
        var bits = BitWriter()
        bits.append(63 * luminance.mean, bits: 6)
        bits.append(31.5 + 31.5 * yellow.mean, bits: 6)
        bits.append(31.5 + 31.5 * red.mean, bits: 6)
        bits.append(31 * luminance.largest, bits: 5)
        bits.append(layout.hasAlpha ? 1 : 0, bits: 1)
        bits.append(Double(layout.isLandscape ? layout.rows : layout.columns), bits: 3)
        bits.append(63 * yellow.largest, bits: 6)
        bits.append(63 * red.largest, bits: 6)
        bits.append(layout.isLandscape ? 1 : 0, bits: 1)
        if layout.hasAlpha {
            bits.append(15 * channels[3].mean, bits: 4)
            bits.append(15 * channels[3].largest, bits: 4)
        }
        for wave in channels.flatMap(\.waves) { bits.append(15 * wave, bits: 4) }
        return bits.bytes
    }
}

/// Appends numbers of few bits, the lowest bit first.
private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var bitCount = 0

    /// Appends a number, rounded and within the range of its bits.
    mutating func append(_ number: Double, bits: Int) {
        let value = Int(max(0, min(Double((1 << bits) - 1), number.rounded())))
        for bit in 0..<bits {
            if bitCount % 8 == 0 { bytes.append(0) }
            bytes[bitCount / 8] |= UInt8(value >> bit & 1) << UInt8(bitCount % 8)
            bitCount += 1
        }
    }
}

extension PixelSamples {
    /// For each pixel, laid over the mean colour: luminance, yellow against blue, red against green, and alpha.
    fileprivate var channels: [SIMD4<Double>] {
        let mean = meanCode
        return pixels.map { pixel in
            let alpha = Double(pixel.w) / 255
            let color = mean * (1 - alpha) + pixel.code * (alpha / 255)
            return SIMD4(
                (color.x + color.y + color.z) / 3, (color.x + color.y) / 2 - color.z, color.x - color.y, alpha)
        }
    }

    /// The mean of the codes, 0 to 1, each weighted by its alpha.
    private var meanCode: SIMD3<Double> {
        var (sum, alphas) = (SIMD3<Double>.zero, 0.0)
        for pixel in pixels {
            let alpha = Double(pixel.w) / 255
            sum += pixel.code * (alpha / 255)
            alphas += alpha
        }
        return alphas > 0 ? sum / alphas : .zero
    }
}

extension SIMD4<UInt8> {
    fileprivate var code: SIMD3<Double> { SIMD3(Double(x), Double(y), Double(z)) }
}
