import CPixels
import Glibc
import WebImageCore

/// A function of a channel from 0 to 1, the same for red, green and blue.
enum ToneCurve: Sendable, Hashable {
    /// Light multiplied by 2 to the power of a number of stops.
    case exposure(Double)
    /// The negative of light, by a share.
    case inversion(Double)
    /// A power.
    case gamma(Double)
    /// A number of levels.
    case posterize(Int)

    /// The value for a channel from 0 to 1, from 0 to 1.
    func value(_ channel: Double) -> Double {
        switch self {
        case .exposure(let stops): LinearLight.number(for: min(1, LinearLight.light(of: channel) * exp2(stops)))
        case .inversion(let share): Self.inverted(channel, share)
        case .gamma(let power): pow(channel, power)
        case .posterize(let levels): Self.level(channel, of: Double(levels))
        }
    }

    private static func level(_ channel: Double, of count: Double) -> Double {
        min((channel * count).rounded(.down), count - 1) / (count - 1)
    }

    private static func inverted(_ channel: Double, _ share: Double) -> Double {
        let light = LinearLight.light(of: channel)
        return LinearLight.number(for: light * (1 - share) + (1 - light) * share)
    }

    /// The values for evenly spaced channels.
    func table(_ count: Int) -> [Float] {
        (0..<count).map { Float(value(Double($0) / Double(count - 1)).clamped(to: 0...1, orElse: 0)) }
    }
}
