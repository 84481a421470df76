import WebImage
import WebImageCommandLine

extension OptionValue where Value == RGBAColor {
    /// An opaque colour in hexadecimal digits.
    static var color: Self {
        Self(placeholder: "RRGGBB", expectation: "a colour of six hexadecimal digits, such as ff8800") { text in
            RGBAColor(option: text).flatMap { text.count < 8 ? $0 : nil }
        }
    }
}

extension RGBAColor {
    /// Six hexadecimal digits, or eight with alpha at the end, and a `#` before them if one likes.
    init?(option text: String) {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard [6, 8].contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let number = UInt32(digits.count == 6 ? digits + "ff" : digits, radix: 16)
        else { return nil }
        self.init(
            red: UInt8(number >> 24), green: UInt8(number >> 16 & 255), blue: UInt8(number >> 8 & 255),
            alpha: UInt8(number & 255))
    }
}
