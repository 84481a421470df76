/// A number that changes evenly along a row of pixels.
struct Ramp {
    /// The number in the middle of column 0.
    var start: Double
    /// The change from each column to the next.
    var step = 0.0

    static func + (ramp: Ramp, number: Double) -> Ramp { Ramp(start: ramp.start + number, step: ramp.step) }
    static func - (ramp: Ramp, number: Double) -> Ramp { ramp + -number }
    static func + (first: Ramp, second: Ramp) -> Ramp {
        Ramp(start: first.start + second.start, step: first.step + second.step)
    }
    static func * (ramp: Ramp, factor: Double) -> Ramp { Ramp(start: ramp.start * factor, step: ramp.step * factor) }
    static func / (ramp: Ramp, divisor: Double) -> Ramp { ramp * (1 / divisor) }

    subscript(column: Int) -> Double { start + step * Double(column) }

    /// The columns within some whose number is above a limit, up to another one.
    func columns(above low: Double, upTo high: Double, in columns: Range<Int>) -> Range<Int> {
        let (first, last) =
            step < 0 ? (edge(high, columns), edge(low, columns)) : (edge(low, columns), edge(high, columns))
        return first..<max(first, last)
    }

    /// The first column where the number is above a limit; with a negative step, where it is not.
    private func edge(_ limit: Double, _ columns: Range<Int>) -> Int {
        guard step != 0 else { return start > limit ? columns.lowerBound : columns.upperBound }
        let place = (limit - start) / step
        let first = step > 0 ? place.rounded(.down) + 1 : place.rounded(.up)
        return Int(min(Double(columns.upperBound), max(Double(columns.lowerBound), first)))
    }
}
