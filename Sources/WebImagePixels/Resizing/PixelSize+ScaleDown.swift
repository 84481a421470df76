import WebImageCore

extension PixelSize {
    /// The largest size of the same proportions with at most `count` pixels, and at least 1×1; the size itself where it
    /// is not larger.
    ///
    /// Computed in integers, so that the limit and exact proportions are kept to the pixel.
    package func scaledDown(toPixelCount count: Int) -> PixelSize {
        guard !isEmpty, area > count else { return self }
        // width′ = √(count × width ÷ height), so that width′ × height′ is count.
        let fitted = PixelSize(
            width: Self.root(count, times: width, over: height), height: Self.root(count, times: height, over: width))
        // A side that would vanish becomes 1, and the other side is limited accordingly.
        return PixelSize(
            width: max(1, min(fitted.width, count)), height: max(1, min(fitted.height, count)))
    }

    /// √(count × numerator ÷ denominator), rounded down.
    private static func root(_ count: Int, times numerator: Int, over denominator: Int) -> Int {
        let square = UInt128(max(0, count)) * UInt128(numerator) / UInt128(denominator)
        var root = UInt128(Double(square).squareRoot())
        while root * root > square { root -= 1 }
        while (root + 1) * (root + 1) <= square { root += 1 }
        return Int(clamping: root)
    }
}
