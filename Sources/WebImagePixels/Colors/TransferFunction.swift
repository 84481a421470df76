import Glibc

/// The function from a file's codes, 0 to 1, to linear light, 0 to 1.
package enum TransferFunction: Sendable, Hashable {
    /// IEC 61966-2-1.
    case sRGB
    case linear
    /// Light is the code to this power.
    case gamma(Double)
    /// ITU-R BT.2100 PQ; light of 1 is 10,000 cd/m².
    case perceptualQuantizer
    /// ITU-R BT.2100 HLG; light is scene light, before the system gamma.
    case hybridLogGamma

    /// From a code point of ITU-T H.273, table 3; nil for those that pictures do not use.
    ///
    /// The camera curves of television (BT.709, SMPTE 170M and 240M, BT.2020) count as sRGB, as in browsers: displays
    /// show such pictures with their own curve, not with the inverse of the camera's.
    package init?(codePoint: Int) {
        switch codePoint {
        case 1, 2, 6, 7, 13, 14, 15: self = .sRGB
        case 4: self = .gamma(2.2)
        case 5: self = .gamma(2.8)
        case 8: self = .linear
        case 16: self = .perceptualQuantizer
        case 18: self = .hybridLogGamma
        default: return nil
        }
    }

    package var isHighDynamicRange: Bool { self == .perceptualQuantizer || self == .hybridLogGamma }

    /// The linear light of a code.
    func light(_ code: Double) -> Double {
        switch self {
        case .sRGB: code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
        case .linear: code
        case .gamma(let exponent): pow(code, exponent)
        case .perceptualQuantizer: PerceptualQuantizer.light(code)
        case .hybridLogGamma: HybridLogGamma.light(code)
        }
    }

    /// The code of linear light.
    func code(_ light: Double) -> Double {
        switch self {
        case .sRGB: light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
        case .linear: light
        case .gamma(let exponent): pow(light, 1 / exponent)
        case .perceptualQuantizer: PerceptualQuantizer.code(light)
        case .hybridLogGamma: HybridLogGamma.code(light)
        }
    }
}

/// ITU-R BT.2100-2, table 4.
package enum PerceptualQuantizer {
    /// The luminance of the largest code in cd/m².
    package static let peakLuminance = 10_000.0

    private static let m1 = 2610.0 / 16_384
    private static let m2 = 2523.0 / 4096 * 128
    private static let c1 = 3424.0 / 4096
    private static let c2 = 2413.0 / 4096 * 32
    private static let c3 = 2392.0 / 4096 * 32

    package static func light(_ code: Double) -> Double {
        let power = pow(code, 1 / m2)
        return pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
    }

    static func code(_ light: Double) -> Double {
        let power = pow(light, m1)
        return pow((c1 + c2 * power) / (1 + c3 * power), m2)
    }
}

/// ITU-R BT.2100-2, table 5.
enum HybridLogGamma {
    /// The peak luminance in cd/m² of the display that the system gamma is for.
    static let peakLuminance = 1000.0
    /// The exponent of luminance from scene light to the display's light.
    static let systemGamma = 1.2

    private static let a = 0.17883277
    private static let b = 1 - 4 * a
    private static let c = 0.5 - a * log(4 * a)

    static func light(_ code: Double) -> Double {
        code <= 0.5 ? code * code / 3 : (exp((code - c) / a) + b) / 12
    }

    static func code(_ light: Double) -> Double {
        light <= 1.0 / 12 ? sqrt(3 * light) : a * log(12 * light - b) + c
    }
}
