import FoundationEssentials
import WebImage

/// A type of option value: its name in the help, its parser, and its error.
package struct OptionValue<Value> {
    package let placeholder: String
    /// The kind of value that the user should give, after the words "give …".
    package let expectation: String
    /// The completions that a shell offers for it; a mistyped value is compared with its words, too.
    package let completion: ValueCompletion
    package let parse: (String) -> Value?

    package init(
        placeholder: String, expectation: String, completion: ValueCompletion = .nothing,
        parse: @escaping (String) -> Value?
    ) {
        self.placeholder = placeholder
        self.expectation = expectation
        self.completion = completion
        self.parse = parse
    }
}

extension OptionValue where Value == String {
    /// Any text but the empty one.
    package static func text(_ placeholder: String, completion: ValueCompletion = .nothing) -> Self {
        Self(placeholder: placeholder, expectation: "a name that is not empty", completion: completion) {
            $0.isEmpty ? nil : $0
        }
    }
}

extension OptionValue where Value == Int {
    /// A whole number in a range.
    package static func integer(_ range: ClosedRange<Int>) -> Self {
        Self(placeholder: "N", expectation: "a whole number from \(range.lowerBound) to \(range.upperBound)") {
            $0.decimal.flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension OptionValue where Value == Double {
    /// A number in a range, with or without a decimal point.
    package static func number(_ range: ClosedRange<Double>) -> Self {
        let ends = [range.lowerBound, range.upperBound].map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" }
        return Self(placeholder: "N", expectation: "a number from \(ends[0]) to \(ends[1])") { text in
            text.decimalFraction.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A number in a range, which may be negative.
    package static func signedNumber(_ range: ClosedRange<Double>) -> Self {
        let unsigned = number(range)
        return Self(placeholder: unsigned.placeholder, expectation: unsigned.expectation) { text in
            let number =
                text.hasPrefix("-") ? String(text.dropFirst()).decimalFraction.map { -$0 } : text.decimalFraction
            return number.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A positive time.
    package static var seconds: Self {
        Self(placeholder: "S", expectation: "a number of seconds above 0 and up to 86400, such as 10 or 0.5") { text in
            text.decimalFraction.flatMap { $0 > 0 && $0 <= 86_400 ? $0 : nil }
        }
    }
}

extension OptionValue where Value == PixelSize {
    /// A size in pixels, of both sides.
    package static var pixelSize: Self {
        Self(placeholder: "WxH", expectation: "a width and a height in pixels, each from 1 to 65535, such as 300x200") {
            let sides = $0.split(separator: "x", omittingEmptySubsequences: false).map { String($0).decimal }
            guard sides.count == 2, let width = sides[0], let height = sides[1] else { return nil }
            return PixelSize.sides.contains(width) && PixelSize.sides.contains(height)
                ? PixelSize(width: width, height: height) : nil
        }
    }
}

extension OptionValue where Value == ImageFormat {
    /// One of the formats that pictures are written in, by its usual file name extension.
    package static func format(_ formats: KeyValuePairs<String, ImageFormat>) -> Self {
        Self(
            placeholder: "FORMAT", expectation: formats.map(\.key).inWords("or"),
            completion: .words(formats.map(\.key)),
            parse: { name in formats.first { $0.key == name.lowercased() }?.value })
    }
}

extension String {
    /// The text as a number; digits and a point only, since `Double` would accept a sign, an exponent and `inf`.
    fileprivate var decimalFraction: Double? {
        allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") } ? Double(self) : nil
    }

    /// The text as a number; digits only, since `Int` would accept a sign.
    var decimal: Int? { allSatisfy { ("0"..."9").contains($0) } ? Int(self) : nil }
}
