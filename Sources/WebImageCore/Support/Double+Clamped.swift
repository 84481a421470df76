extension Double {
    /// The nearest number of `range`; `usual` for NaN.
    package func clamped(to range: ClosedRange<Double>, orElse usual: Double) -> Double {
        isNaN ? usual : min(range.upperBound, max(range.lowerBound, self))
    }
}
