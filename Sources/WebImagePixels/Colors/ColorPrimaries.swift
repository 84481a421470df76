/// The colours of pure red, green, blue and white, as CIE 1931 chromaticities.
package struct ColorPrimaries: Sendable, Hashable {
    package struct Chromaticity: Sendable, Hashable {
        package var x, y: Double

        package init(_ x: Double, _ y: Double) {
            self.x = x
            self.y = y
        }

        /// XYZ at a luminance of 1.
        fileprivate var tristimulus: [Double] { [x / y, 1, (1 - x - y) / y] }
    }

    package var red, green, blue, white: Chromaticity

    package init(red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity) {
        self.red = red
        self.green = green
        self.blue = blue
        self.white = white
    }

    package static let d65 = Chromaticity(0.3127, 0.3290)
    package static let bt709 = ColorPrimaries(
        red: .init(0.64, 0.33), green: .init(0.30, 0.60), blue: .init(0.15, 0.06), white: d65)
    package static let bt2020 = ColorPrimaries(
        red: .init(0.708, 0.292), green: .init(0.170, 0.797), blue: .init(0.131, 0.046), white: d65)
    package static let displayP3 = ColorPrimaries(
        red: .init(0.680, 0.320), green: .init(0.265, 0.690), blue: .init(0.150, 0.060), white: d65)

    /// From a code point of ITU-T H.273, table 2; nil for those that pictures do not use.
    package init?(codePoint: Int) {
        let illuminantC = Chromaticity(0.310, 0.316)
        switch codePoint {
        case 1, 2: self = .bt709
        case 4:
            self.init(
                red: .init(0.67, 0.33), green: .init(0.21, 0.71), blue: .init(0.14, 0.08), white: illuminantC)
        case 5:
            self.init(red: .init(0.64, 0.33), green: .init(0.29, 0.60), blue: .init(0.15, 0.06), white: Self.d65)
        case 6, 7:
            self.init(
                red: .init(0.630, 0.340), green: .init(0.310, 0.595), blue: .init(0.155, 0.070), white: Self.d65)
        case 8:
            self.init(
                red: .init(0.681, 0.319), green: .init(0.243, 0.692), blue: .init(0.145, 0.049), white: illuminantC)
        case 9: self = .bt2020
        case 11:
            self = .displayP3
            white = .init(0.314, 0.351)
        case 12: self = .displayP3
        case 22:
            self.init(
                red: .init(0.630, 0.340), green: .init(0.295, 0.605), blue: .init(0.155, 0.077), white: Self.d65)
        default: return nil
        }
    }

    /// Whether red, green and blue form a triangle around white, so that colours can be computed: files may claim
    /// anything.
    package var isValid: Bool {
        let points = [red, green, blue, white]
        guard points.allSatisfy({ $0.x >= 0 && $0.y > 0.001 && $0.x + $0.y <= 1 }) else { return false }
        guard let matrix = toXYZ, matrix.inverse != nil else { return false }
        // A negative weight means that white lies outside of the triangle.
        return luminance.allSatisfy { $0 > 0 }
    }

    /// The weights of red, green and blue in luminance; their sum is 1.
    var luminance: [Double] { toXYZ.map { Array($0.values[3..<6]) } ?? [0, 0, 0] }

    /// From linear light in these primaries to XYZ, with a luminance of 1 for white (SMPTE RP 177); nil for invalid
    /// primaries.
    private var toXYZ: PrimaryMatrix? {
        let columns = [red, green, blue].map(\.tristimulus)
        let unscaled = PrimaryMatrix((0..<9).map { columns[$0 % 3][$0 / 3] })
        guard let scale = unscaled.inverse?.multiplied(by: white.tristimulus) else { return nil }
        return PrimaryMatrix((0..<9).map { unscaled.values[$0] * scale[$0 % 3] })
    }

    /// From linear light in these primaries to linear light in `target`, with white mapped to white; nil where either
    /// is invalid.
    func matrix(to target: ColorPrimaries) -> PrimaryMatrix? {
        guard let source = toXYZ, let back = target.toXYZ?.inverse else { return nil }
        return back * Self.adaptation(from: white, to: target.white) * source
    }

    /// Bradford's cone responses, as in ICC.1 annex E.
    private static func adaptation(from: Chromaticity, to: Chromaticity) -> PrimaryMatrix {
        let cones = PrimaryMatrix([0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296])
        guard from != to, let back = cones.inverse else { return .identity }
        let ratios = zip(cones.multiplied(by: to.tristimulus), cones.multiplied(by: from.tristimulus)).map(/)
        return back * PrimaryMatrix([ratios[0], 0, 0, 0, ratios[1], 0, 0, 0, ratios[2]]) * cones
    }
}
