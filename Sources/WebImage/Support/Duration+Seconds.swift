extension Duration {
    /// The time in seconds.
    package var seconds: Double { self / .seconds(1) }
}
