import WebImage
import WebImageCommandLine

extension OptionValue where Value == RGBAColor {
    /// An opaque colour in hexadecimal digits.
    static var color: Self {
        Self(placeholder: "RRGGBB", expectation: "a colour of six hexadecimal digits, such as ff8800") { text in
            let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
            guard digits.count == 6, digits.allSatisfy(\.isHexDigit), let number = UInt32(digits, radix: 16) else {
                return nil
            }
            return .init(
                red: UInt8(number >> 16), green: UInt8(number >> 8 & 255), blue: UInt8(number & 255))
        }
    }
}
