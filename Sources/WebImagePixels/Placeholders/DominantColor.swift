import WebImageCore

/// A colour that much of a picture has.
public struct DominantColor: Sendable, Hashable {
    /// The colour, opaque.
    public var color: RGBAColor
    /// Its share of what is visible in the picture, above 0 and up to 1.
    public var share: Double

    /// A colour with its share, 0 to 1.
    public init(color: RGBAColor, share: Double) {
        self.color = color
        self.share = share
    }
}
