/// An sRGB colour with straight alpha.
public struct RGBAColor: Sendable, Hashable {
    /// The channels, 0 to 255; alpha 0 is transparent.
    public var red, green, blue, alpha: UInt8

    /// A colour from its channels, 0 to 255 each; opaque by default.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Black.
    public static let black = RGBAColor(red: 0, green: 0, blue: 0)
    /// White.
    public static let white = RGBAColor(red: 255, green: 255, blue: 255)
    /// Fully transparent.
    public static let clear = RGBAColor(red: 0, green: 0, blue: 0, alpha: 0)
}

extension RGBAColor {
    /// `#aarrggbb`, alpha first, in lower case: the form of colours in cache keys.
    package var hex: String { "#" + [alpha, red, green, blue].map(Self.twoDigits).joined() }

    /// Reads `#aarrggbb` or `#rrggbb`, in either case; nil for any other text.
    public init?(hex: String) {
        let digits = hex.utf8.dropFirst()
        guard hex.utf8.first == UInt8(ascii: "#"), digits.count == 6 || digits.count == 8,
            digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
            let value = UInt32(Substring(digits), radix: 16)
        else { return nil }
        let channels = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
        self.init(
            red: channels[1], green: channels[2], blue: channels[3], alpha: digits.count == 6 ? 255 : channels[0])
    }

    private static func twoDigits(_ channel: UInt8) -> String {
        (channel < 16 ? "0" : "") + String(channel, radix: 16)
    }
}
