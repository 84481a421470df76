import Glibc

/// CIE L*a*b* under D50 to sRGB (TIFF 6.0 §23; IEC 61966-2-1).
struct LabColor {
    private let isICC: Bool
    /// The value of the largest sample of a or b.
    private let reach: Float

    init(bitsPerSample: Int, isICC: Bool) {
        self.isICC = isICC
        // 16-bit samples have an eight-bit fraction.
        reach = isICC ? (bitsPerSample == 8 ? 255 : 65_535 / 256) : (bitsPerSample == 8 ? 127 : 32_767 / 256)
    }

    /// - Parameters: L from 0 to 1; a and b from -1 to 1, in ICC's encoding from 0 to 1.
    func sRGB(_ lightness: Float, _ a: Float, _ b: Float) -> [UInt8] {
        let shift: Float = isICC ? 128 : 0
        let y = (lightness * 100 + 16) / 116
        let x = y + (a * reach - shift) / 500
        let z = y - (b * reach - shift) / 200
        let (X, Y, Z) = (Self.linear(x) * 0.96422, Self.linear(y), Self.linear(z) * 0.82521)
        // D50 to D65 by Bradford's method, then sRGB's primaries.
        return [
            Self.encode(3.1338561 * X - 1.6168667 * Y - 0.4906146 * Z),
            Self.encode(-0.9787684 * X + 1.9161415 * Y + 0.0334540 * Z),
            Self.encode(0.0719453 * X - 0.2289914 * Y + 1.4052427 * Z),
        ]
    }

    private static func linear(_ value: Float) -> Float {
        value > 6 / 29 ? value * value * value : 3 * (6 / 29) * (6 / 29) * (value - 4 / 29)
    }

    private static func encode(_ value: Float) -> UInt8 {
        // NaN, which files may contain, becomes black.
        let clamped = value > 0 ? min(value, 1) : 0
        return curve[Int((clamped * Float(curve.count - 1)).rounded())]
    }

    private static let curve: [UInt8] = (0...16_384).map { step in
        let value = Double(step) / 16_384
        let encoded = value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055
        return UInt8((encoded * 255).rounded())
    }
}
