/// The upper bound of a CSS length; relative parts are resolved when the whole document has been read.
struct SVGLength {
    /// At 96 an inch; infinite where it cannot be determined.
    private(set) var pixels = 0.0
    /// As a share of the viewport's side.
    private(set) var share = 0.0
    /// In font sizes.
    private(set) var ems = 0.0

    static let unknown = SVGLength(pixels: .infinity)

    private static let pixelsPerUnit: [String: Double] = [
        "": 1, "px": 1, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4, "pt": 96.0 / 72, "pc": 16,
    ]

    init(pixels: Double = 0) { self.pixels = pixels }

    init(_ text: some Collection<UInt8>) {
        var numbers = SVGNumbers(Array(text)[...])
        guard let number = numbers.next() else {
            // `auto` and other keywords.
            self = text.contains { "&\\(".utf8.contains($0) } ? .unknown : SVGLength()
            return
        }
        let unit = SVGStyle.text(
            numbers.rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: "!") && $0 != UInt8(ascii: ",") })
        let value = number.isNaN ? .infinity : abs(number)
        switch unit.lowercased() {
        case "%": share = value / 100
        case "em", "ex", "ch": ems = value
        case let unit: pixels = Self.pixelsPerUnit[unit].map { $0 * value } ?? .infinity
        }
    }

    /// The maximum of both, component by component.
    func union(_ other: SVGLength) -> SVGLength {
        var result = SVGLength(pixels: max(pixels, other.pixels))
        result.share = max(share, other.share)
        result.ems = max(ems, other.ems)
        return result
    }

    static func + (one: SVGLength, other: SVGLength) -> SVGLength {
        var result = SVGLength(pixels: one.pixels + other.pixels)
        result.share = one.share + other.share
        result.ems = one.ems + other.ems
        return result
    }

    func resolved(viewport: Double, font: Double) -> Double {
        pixels + share.times(viewport) + ems.times(font)
    }
}

extension Double {
    /// The product, where 0 × ∞ is 0.
    func times(_ other: Double) -> Double { self == 0 || other == 0 ? 0 : self * other }

    /// The quotient, where x / 0 is 0: nothing is drawn on an empty area.
    func over(_ other: Double) -> Double { other > 0 ? self / other : 0 }
}
