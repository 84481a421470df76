extension Image {
    /// The picture mirrored: left to right (`horizontal`), top to bottom (`vertical`), or both, which is half a turn. A
    /// still picture, made in memory; ``scale`` and size are kept.
    ///
    /// Blocks for as long as it takes; any thread.
    /// - Returns: Nil when memory runs out.
    public func flipped(horizontal: Bool, vertical: Bool) -> Image? {
        (try? bitmap.flipped(horizontal: horizontal, vertical: vertical)).map(still)
    }
}
