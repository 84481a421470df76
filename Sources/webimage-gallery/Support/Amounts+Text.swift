nonisolated extension Int {
    /// `12.3` for 123 tenths.
    fileprivate var asTenths: String { "\(self / 10).\(self % 10)" }

    /// A number of bytes as `12.3 MB`.
    var inMegabytes: String { "\(((self + 50_000) / 100_000).asTenths) MB" }
}

nonisolated extension Duration {
    /// `1.9 s`.
    var inSeconds: String { "\(Int((self / .milliseconds(100)).rounded()).asTenths) s" }

    /// `234 ms`, or `1.9 s` from a second on.
    var brief: String {
        let milliseconds = Int((self / .milliseconds(1)).rounded())
        return milliseconds < 1000 ? "\(milliseconds) ms" : inSeconds
    }
}
