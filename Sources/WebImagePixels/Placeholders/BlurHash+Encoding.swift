import Glibc
import WebImageCore

extension BlurHash {
    /// The hash of a picture, in any depth and with any kind of alpha.
    ///
    /// The mean colour of the picture replaces its transparent pixels. A picture with a side above 100 pixels is
    /// reduced first. Blocks, for microseconds in a small picture; any thread.
    /// - Parameters:
    ///   - columns: The number of waves from left to right, 1 to 9; more for wide pictures. Default 4.
    ///   - rows: The number of waves from top to bottom, 1 to 9. Default 3.
    /// - Throws: ``WebImageError/Code/encodeFailed`` for other numbers, ``WebImageError/Code/limitExceeded`` when there is no
    ///   memory.
    public init(of bitmap: Bitmap, columns: Int = 4, rows: Int = 3) throws(WebImageError) {
        let range = 1...Self.maximumWaves
        guard range.contains(columns), range.contains(rows) else { throw .wavesOutOfRange(columns, rows) }
        let samples = try bitmap.samples(within: PlaceholderSizes.largestSource)
        let waves = CosineTable.means(
            of: samples.lights, columns: CosineTable(waveCount: columns, length: samples.size.width, phase: 0),
            rows: CosineTable(waveCount: rows, length: samples.size.height, phase: 0))
        try self.init(Self.text(of: waves, columns: columns, rows: rows))
    }

    private static func text(of waves: [SIMD4<Double>], columns: Int, rows: Int) -> String {
        // All waves but the constant one have half the mean square.
        let others = waves.dropFirst().map { $0 * 2 }
        let maximum = others.reduce(0.0) { max($0, abs($1.x), abs($1.y), abs($1.z)) }
        let maximumCode = others.isEmpty ? 0 : Int(max(0, min(82, (maximum * 166 - 0.5).rounded(.down))))
        let mean = [waves[0].x, waves[0].y, waves[0].z].reduce(0) { $0 << 8 | Int(SRGBCodes.code($1)) }
        let head =
            Base83.text(columns - 1 + (rows - 1) * maximumWaves, count: 1) + Base83.text(maximumCode, count: 1)
            + Base83.text(mean, count: 4)
        let scale = amplitude(maximumCode)
        return others.reduce(into: head) { $0 += Base83.text(code(of: $1 / scale), count: 2) }
    }

    /// The largest amplitude of the waves, as its code has it.
    static func amplitude(_ maximumCode: Int) -> Double { Double(maximumCode + 1) / 166 }

    /// The code of a wave, from -1 to 1 in each channel: its square root in steps.
    private static func code(of wave: SIMD4<Double>) -> Int {
        [wave.x, wave.y, wave.z].reduce(0) { code, value in
            let root = copysign(abs(value).squareRoot(), value)
            return code * waveSteps + Int(max(0, min(18, (root * 9 + 9.5).rounded(.down))))
        }
    }
}

extension PixelSamples {
    /// The linear light of all pixels, laid over their mean where they are transparent.
    fileprivate var lights: [SIMD4<Double>] {
        let mean = self.meanLight
        return pixels.map { pixel in
            let light = SRGBCodes.light(pixel)
            guard pixel.w < .max else { return SIMD4(light, 1) }
            let alpha = Double(pixel.w) / 255
            return SIMD4(light * alpha + mean.color * (1 - alpha), 1)
        }
    }
}

extension WebImageError {
    fileprivate static func wavesOutOfRange(_ columns: Int, _ rows: Int) -> WebImageError {
        WebImageError(
            .encodeFailed, stage: .encode, kind: .permanent,
            reason: "a BlurHash cannot have \(columns) × \(rows) components; give 1 to 9 each")
    }
}
