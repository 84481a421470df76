import Glibc

/// Tone mapping of high dynamic range for a display with standard range: the EETF of ITU-R BT.2390-11 §5.4.1.
///
/// Light up to about 90 cd/m² is unchanged. Brighter light is compressed increasingly, so that the peak becomes the
/// display's white of 203 cd/m² (BT.2408-7 §2.2).
struct ToneMapping: Sendable, Hashable {
    /// The picture's peak luminance in cd/m².
    let peakLuminance: Double

    /// The luminance of the display's white in cd/m².
    static let white = 203.0
    /// The peak luminance in cd/m² for files that do not have one: that of most pictures.
    static let usualPeakLuminance = 1000.0

    /// The luminance on the display for one in the picture, both in cd/m².
    func luminance(_ luminance: Double) -> Double {
        guard peakLuminance > Self.white else { return min(luminance, Self.white) }
        let peak = Self.code(peakLuminance)
        let code = min(Self.code(luminance) / peak, 1)
        return Self.luminance(ofCode: compressed(code, highest: Self.code(Self.white) / peak) * peak)
    }

    /// A Hermite spline from the knee to the maximum; both are shares of the peak in PQ codes.
    private func compressed(_ code: Double, highest: Double) -> Double {
        let knee = 1.5 * highest - 0.5
        guard code > knee else { return code }
        let t = (code - knee) / (1 - knee)
        let (t2, t3) = (t * t, t * t * t)
        return (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (-2 * t3 + 3 * t2) * highest
    }

    private static func code(_ luminance: Double) -> Double {
        PerceptualQuantizer.code(luminance / PerceptualQuantizer.peakLuminance)
    }

    private static func luminance(ofCode code: Double) -> Double {
        PerceptualQuantizer.light(code) * PerceptualQuantizer.peakLuminance
    }
}
