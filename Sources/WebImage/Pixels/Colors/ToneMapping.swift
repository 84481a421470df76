import Glibc

/// How bright light of high dynamic range becomes on a screen of standard range: the EETF of ITU-R BT.2390-11 §5.4.1.
///
/// Light up to about 90 cd/m² stays as it is, what is brighter is compressed, more the brighter it is, until the
/// brightest becomes the screen's white of 203 cd/m² (BT.2408-7 §2.2).
struct ToneMapping: Sendable, Hashable {
    /// cd/m² of the brightest light in the picture.
    let peakLuminance: Double

    /// cd/m² of the screen's white.
    static let white = 203.0
    /// cd/m² of what most pictures are made for, taken where a file does not say.
    static let usualPeakLuminance = 1000.0

    /// cd/m² on the screen, of cd/m² in the picture.
    func luminance(_ luminance: Double) -> Double {
        guard peakLuminance > Self.white else { return min(luminance, Self.white) }
        let peak = Self.code(peakLuminance)
        let code = min(Self.code(luminance) / peak, 1)
        return Self.luminance(ofCode: compressed(code, highest: Self.code(Self.white) / peak) * peak)
    }

    /// A Hermite spline from the knee to the highest value; both as shares of the peak in the perceptual quantizer.
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
