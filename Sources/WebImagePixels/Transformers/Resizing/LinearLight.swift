import CPixels
import Glibc

/// The curves between sRGB's numbers and light (IEC 61966-2-1), as tables.
final class LinearLight: Sendable {
    static let shared = LinearLight()

    /// Light, 0 to 1, for evenly spaced numbers.
    let light: [Float]
    /// Numbers, 0 to 1, for evenly spaced light.
    let numbers: [Float]

    private init() {
        let places = (0..<Int(WEBIMAGE_TONE_COUNT)).map { Double($0) / Double(WEBIMAGE_TONE_COUNT - 1) }
        light = places.map { Float(Self.light(of: $0)) }
        numbers = places.map { Float(Self.number(for: $0)) }
    }

    /// The light, 0 to 1, of a number from 0 to 1.
    static func light(of number: Double) -> Double {
        number <= 0.04045 ? number / 12.92 : pow((number + 0.055) / 1.055, 2.4)
    }

    /// The number for light from 0 to 1.
    static func number(for light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
