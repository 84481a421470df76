import Glibc
import WebImageCore

/// Colours in Oklab (Björn Ottosson, https://bottosson.github.io/posts/oklab), where equal distances look about equally
/// different: lightness, green to red, blue to yellow.
enum PerceptualColor {
    /// Colours that are closer than this look alike, unless they touch.
    static let barelySeen = 0.04

    /// From straight sRGB.
    static func lab(_ pixel: SIMD4<UInt8>) -> SIMD3<Double> {
        let light = SRGBCodes.light(pixel)
        var cones = SIMD3(0.4122214708, 0.2119034982, 0.0883024619) * light.x
        cones += SIMD3(0.5363325363, 0.6806995451, 0.2817188376) * light.y
        cones += SIMD3(0.0514459929, 0.1073969566, 0.6299787005) * light.z
        cones = SIMD3(cbrt(cones.x), cbrt(cones.y), cbrt(cones.z))
        var lab = SIMD3(0.2104542553, 1.9779984951, 0.0259040371) * cones.x
        lab += SIMD3(0.7936177850, -2.4285922050, 0.7827717662) * cones.y
        lab += SIMD3(-0.0040720468, 0.4505937099, -0.8086757660) * cones.z
        return lab
    }

    /// The nearest colour of sRGB, opaque.
    static func color(_ lab: SIMD3<Double>) -> RGBAColor {
        var cones = SIMD3(repeating: lab.x)
        cones += SIMD3(0.3963377774, -0.1055613458, -0.0894841775) * lab.y
        cones += SIMD3(0.2158037573, -0.0638541728, -1.2914855480) * lab.z
        cones = cones * cones * cones
        var light = SIMD3(4.0767416621, -1.2684380046, -0.0041960863) * cones.x
        light += SIMD3(-3.3077115913, 2.6097574011, -0.7034186147) * cones.y
        light += SIMD3(0.2309699292, -0.3413193965, 1.7076147010) * cones.z
        return RGBAColor(
            red: SRGBCodes.code(light.x), green: SRGBCodes.code(light.y), blue: SRGBCodes.code(light.z))
    }

    /// The square of the distance.
    static func squaredDistance(_ first: SIMD3<Double>, _ second: SIMD3<Double>) -> Double {
        let difference = first - second
        return (difference * difference).sum()
    }
}
