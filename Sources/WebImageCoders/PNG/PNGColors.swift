import WebImagePixels

/// The chunks of a PNG file about its colours.
///
/// Of several, cICP has precedence over iCCP, that over sRGB, and that over gAMA and cHRM (PNG third edition §11.3.2,
/// table 13). As in browsers, a file with gAMA alone gets sRGB's primaries, and one with cHRM alone gets sRGB's curve.
struct PNGColors: Sendable, Hashable {
    /// The cICP chunk: primaries and transfer function by ITU-T H.273.
    var codePoints: CodePoints?
    var hasSRGB = false
    /// The gAMA chunk: the encoding exponent, times 100,000.
    var gamma: Int?
    /// The cHRM chunk: x and y of white, red, green and blue, times 100,000.
    var chromaticities: [Int]?
    /// The maximum content light level (cLLI) and the mastering display's peak (mDCV), in cd/m².
    var maximumContentLight: Double?
    var masteringLuminance: Double?

    struct CodePoints: Sendable, Hashable {
        var primaries: Int
        var transfer: Int
    }

    /// The colours, nil for sRGB.
    /// - Parameter profile: The content of the iCCP chunk, if it is readable.
    func resolved(profile: ColorProfile?) -> SourceColors? {
        if let codePoints, let colors = coded(codePoints) { return .coded(colors) }
        if let profile { return .profile(profile) }
        guard !hasSRGB else { return nil }
        let colors = CodedColors(primaries: primaries, transfer: transfer)
        return colors == .sRGB ? nil : .coded(colors)
    }

    private func coded(_ codePoints: CodePoints) -> CodedColors? {
        CodedColors(
            primaries: codePoints.primaries, transfer: codePoints.transfer,
            peakLuminance: maximumContentLight ?? masteringLuminance)
    }

    private var primaries: ColorPrimaries {
        guard let chromaticities, chromaticities.count == 8 else { return .bt709 }
        let points = (0..<4).map {
            ColorPrimaries.Chromaticity(
                Double(chromaticities[$0 * 2]) / 100_000, Double(chromaticities[$0 * 2 + 1]) / 100_000)
        }
        let primaries = ColorPrimaries(red: points[1], green: points[2], blue: points[3], white: points[0])
        return primaries.isValid && !primaries.isLike(.bt709) ? primaries : .bt709
    }

    /// An exponent within a twentieth of sRGB's counts as sRGB: programs write 45455 for sRGB, and libpng ignores such
    /// a difference, too (PNG_GAMMA_THRESHOLD).
    private var transfer: TransferFunction {
        guard let gamma, gamma > 0 else { return .sRGB }
        let exponent = 100_000 / Double(gamma)
        guard Self.possibleExponents.contains(exponent), abs(exponent / 2.2 - 1) >= 0.05 else { return .sRGB }
        return exponent == 1 ? .linear : .gamma(exponent)
    }

    /// Other exponents are errors of the writer.
    private static let possibleExponents = 0.1...10.0
}

extension ColorPrimaries {
    /// Whether the difference is rounding: programs write three digits, with small variations.
    fileprivate func isLike(_ other: ColorPrimaries) -> Bool {
        func isNear(_ one: Chromaticity, _ another: Chromaticity) -> Bool {
            abs(one.x - another.x) <= 0.001 && abs(one.y - another.y) <= 0.001
        }
        return isNear(red, other.red) && isNear(green, other.green) && isNear(blue, other.blue)
            && isNear(white, other.white)
    }
}
