extension Double {
    /// The nearest number of `range`; `usual` for what is not a number.
    func clamped(to range: ClosedRange<Double>, orElse usual: Double) -> Double {
        isNaN ? usual : min(range.upperBound, max(range.lowerBound, self))
    }
}
