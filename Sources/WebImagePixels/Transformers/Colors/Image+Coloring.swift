import WebImageCore

extension Image {
    /// The picture with its colours changed by filters, one after the other, in one pass. The result is a still picture
    /// in memory with the same ``scale`` and size.
    ///
    /// Blocks; any thread.
    /// - Returns: Nil when there is no memory.
    public func filtered(by filters: [ColorFilter]) -> Image? { (try? bitmap.filtered(by: filters)).map(still) }

    /// The picture with its colours changed by a filter.
    ///
    /// Blocks; any thread.
    /// - Returns: Nil when there is no memory.
    public func filtered(by filter: ColorFilter) -> Image? { filtered(by: [filter]) }

    /// The picture under a colour. The result is a still picture in memory with the same ``scale`` and size.
    ///
    /// Blocks; any thread.
    /// - Parameters:
    ///   - color: The colour. A fully transparent one changes nothing, as in SDWebImage.
    ///   - mode: The way in which it is drawn. By default, the picture becomes a template of this colour.
    /// - Returns: Nil when there is no memory.
    public func tinted(with color: RGBAColor, mode: BlendMode = .sourceIn) -> Image? {
        guard color.alpha > 0 else { return self }
        return (try? bitmap.tinted(with: color, mode: mode)).map(still)
    }
}
