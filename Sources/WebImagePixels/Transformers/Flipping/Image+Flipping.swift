import WebImageCore

extension Image {
    /// The picture mirrored left to right (`horizontal`), top to bottom (`vertical`), or both, which is half a turn.
    /// The result is a still picture in memory with the same ``scale`` and size.
    ///
    /// Blocks; any thread.
    /// - Returns: Nil without memory.
    public func flipped(horizontal: Bool, vertical: Bool) -> Image? {
        (try? bitmap.flipped(horizontal: horizontal, vertical: vertical)).map(still)
    }
}
