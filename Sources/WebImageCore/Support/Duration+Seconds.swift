extension Duration {
    /// The time in seconds.
    package var seconds: Double { self / .seconds(1) }

    /// The time in milliseconds, rounded.
    package var wholeMilliseconds: Int { Int((self / .milliseconds(1)).rounded()) }
}
