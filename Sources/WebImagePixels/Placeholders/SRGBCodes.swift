/// The 8-bit codes of sRGB and their linear light, 0 to 1, by tables.
enum SRGBCodes {
    private static let lights = (0...255).map { TransferFunction.sRGB.light(Double($0) / 255) }
    /// The least light that is rounded to each code.
    private static let thresholds = (0...255).map { TransferFunction.sRGB.light(max(0, Double($0) - 0.5) / 255) }
    private static let stepCount = 4096
    /// The code of the light at the beginning of each step.
    private static let firstCodes = (0..<stepCount).map { step in
        UInt8(thresholds.lastIndex { $0 <= Double(step) / Double(stepCount) } ?? 0)
    }

    static func light(_ code: UInt8) -> Double { lights[Int(code)] }

    /// The nearest code; that of the nearest light for what is below 0 or above 1, and 0 for what is no number.
    static func code(_ light: Double) -> UInt8 {
        guard light > 0 else { return 0 }
        guard light < 1 else { return 255 }
        var code = Int(firstCodes[Int(light * Double(stepCount))])
        while code < 255, thresholds[code + 1] <= light { code += 1 }
        return UInt8(code)
    }

    /// The linear light of red, green and blue.
    static func light(_ pixel: SIMD4<UInt8>) -> SIMD3<Double> {
        SIMD3(light(pixel.x), light(pixel.y), light(pixel.z))
    }
}
