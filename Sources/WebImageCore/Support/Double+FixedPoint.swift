extension Double {
    /// The number with six digits after the point, like C's `%f`, but with a point in every locale. Numbers of 2⁶³ or
    /// more, infinity and NaN are written as Swift does.
    package var fixedPointText: String {
        guard magnitude < 0x1p63 else { return description }
        let fraction = magnitude - magnitude.rounded(.down)
        let (carry, millionths) = Self.millionths(fraction).quotientAndRemainder(dividingBy: 1_000_000)
        let digits = String(millionths)
        let zeros = String(repeating: "0", count: 6 - digits.count)
        return "\(sign == .minus ? "-" : "")\(Int(magnitude) + carry).\(zeros)\(digits)"
    }

    /// A number from 0 to 1 in millionths, to nearest, halves to even. Corrects the product's own rounding error, which
    /// makes both neighbours of a half appear equal to it.
    private static func millionths(_ fraction: Double) -> Int {
        let product = fraction * 1e6
        let error = (-product).addingProduct(fraction, 1e6)
        let whole = product.rounded(.down)
        let rest = product - whole
        let isUp = rest > 0.5 || rest == 0.5 && (error > 0 || error == 0 && Int(whole) % 2 == 1)
        return Int(whole) + (isUp ? 1 : 0)
    }
}
