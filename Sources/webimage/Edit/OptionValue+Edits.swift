import WebImage
import WebImageCommandLine

extension OptionValue {
    /// One of several values by its name, in any case.
    ///
    /// - Parameter others: Further names, which are understood and not offered.
    static func word(
        _ placeholder: String, _ values: KeyValuePairs<String, Value>, others: KeyValuePairs<String, Value> = [:]
    ) -> Self {
        let names = values.map(\.key)
        return Self(placeholder: placeholder, expectation: names.inWords("or"), completion: .words(names)) { name in
            (Array(values) + Array(others)).first { $0.key.lowercased() == name.lowercased() }?.value
        }
    }
}

extension OptionValue where Value == ImageScaleMode {
    static var scaleMode: Self { word("MODE", ["fill": .fill, "aspectFit": .aspectFit, "aspectFill": .aspectFill]) }
}

extension OptionValue where Value == ResamplingFilter {
    static var resamplingFilter: Self {
        word("FILTER", ["box": .box, "bilinear": .bilinear, "mitchell": .mitchell, "lanczos3": .lanczos3])
    }
}

/// The ways to mirror.
enum FlipOption { case horizontal, vertical, both }

extension OptionValue where Value == FlipOption {
    static var flip: Self {
        word(
            "WAY", ["horizontal": .horizontal, "vertical": .vertical, "both": .both],
            others: ["h": .horizontal, "v": .vertical, "hv": .both, "vh": .both])
    }
}

/// A rectangle of whole pixels.
struct PixelRectangle {
    let x, y, width, height: Int
}

extension OptionValue where Value == PixelRectangle {
    static var pixelRectangle: Self {
        Self(
            placeholder: "x,y,w,h",
            expectation: "a place, which may be negative, and a size in pixels up to 65535, such as 10,20,300,200"
        ) { text in
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false).compactMap {
                wholeNumber(String($0))
            }
            guard numbers.count == 4, text.filter({ $0 == "," }).count == 3, numbers[2] > 0, numbers[3] > 0 else {
                return nil
            }
            return PixelRectangle(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        }
    }

    private static func wholeNumber(_ text: String) -> Int? {
        let digits = OptionValue<Int>.integer(0...65_535).parse(text.hasPrefix("-") ? String(text.dropFirst()) : text)
        return text.hasPrefix("-") ? digits.map { -$0 } : digits
    }
}

/// The value of `--round`.
struct RoundOption {
    let radius: Double
    let corners: RectCorner
}

extension OptionValue where Value == RoundOption {
    private static var corners: KeyValuePairs<String, RectCorner> {
        [
            "top-left": .topLeft, "top-right": .topRight, "bottom-left": .bottomLeft, "bottom-right": .bottomRight,
        ]
    }

    static var roundedCorners: Self {
        Self(
            placeholder: "R[:CORNERS]",
            expectation: "a radius in pixels from 0 to 65535, and after a colon any of "
                + "\(corners.map(\.key).inWords()), such as 20:top-left,top-right"
        ) { text in
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let radius = OptionValue<Double>.number(0...65_535).parse(parts[0]) else { return nil }
            guard parts.count > 1 else { return RoundOption(radius: radius, corners: .allCorners) }
            let names = parts[1].lowercased().split(separator: ",", omittingEmptySubsequences: false)
            let found = names.compactMap { name in corners.first { $0.key == name }?.value }
            guard found.count == names.count else { return nil }
            return RoundOption(radius: radius, corners: found.reduce([]) { $0.union($1) })
        }
    }
}

/// The value of `--tint`.
struct TintOption {
    let color: RGBAColor
    let mode: BlendMode
}

extension BlendMode {
    /// The names of all.
    static var optionNames: [String] { allCases.map { "\($0)" } }
}

extension OptionValue where Value == TintOption {
    static var tint: Self {
        Self(
            placeholder: "COLOR[:MODE]",
            expectation:
                "a colour such as #ff0000 or #ff000080, and after a colon a mode as --help lists them, such as "
                + "#ff0000:multiply"
        ) { text in
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let color = RGBAColor(option: parts[0]) else { return nil }
            guard parts.count > 1 else { return TintOption(color: color, mode: .sourceIn) }
            // CSS has hyphens in these names.
            let name = parts[1].replacing("-", with: "").lowercased()
            return BlendMode.allCases.first { "\($0)".lowercased() == name }.map { TintOption(color: color, mode: $0) }
        }
    }
}

/// The value of `--pad`.
struct PadOption {
    let insets: EdgeInsets
    let color: RGBAColor
}

extension OptionValue where Value == PadOption {
    static var padding: Self {
        Self(
            placeholder: "N[:COLOR]",
            expectation: "pixels from 0 to 65535, one number or four (top, right, bottom, left), and a colour after a "
                + "colon, such as 10:#ffffff"
        ) { text in
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let words = parts[0].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            let numbers = words.compactMap { OptionValue<Int>.integer(0...65_535).parse($0) }.map(Double.init)
            guard numbers.count == words.count, [1, 4].contains(numbers.count) else { return nil }
            let color = parts.count > 1 ? RGBAColor(option: parts[1]) : .clear
            let sides = numbers.count == 4 ? numbers : Array(repeating: numbers[0], count: 4)
            return color.map {
                PadOption(
                    insets: EdgeInsets(top: sides[0], left: sides[3], bottom: sides[2], right: sides[1]), color: $0)
            }
        }
    }
}
