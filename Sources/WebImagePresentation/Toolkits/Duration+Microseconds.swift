import WebImageCore

extension Duration {
    /// In whole microseconds.
    var microseconds: Int64 { Int64(seconds * 1_000_000) }
}
