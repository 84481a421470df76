nonisolated extension Duration {
    /// `1.9 s`.
    var inSeconds: String {
        let tenths = Int((self / .milliseconds(100)).rounded())
        return "\(tenths / 10).\(tenths % 10) s"
    }

    /// `234 ms`, or `1.9 s` from a second on.
    var brief: String {
        let milliseconds = Int((self / .milliseconds(1)).rounded())
        return milliseconds < 1000 ? "\(milliseconds) ms" : inSeconds
    }
}
