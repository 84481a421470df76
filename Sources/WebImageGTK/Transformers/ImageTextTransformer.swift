import WebImage

/// Writes text over pictures, by Pango: any script, with the fonts of the system. Any thread.
///
/// ```swift
/// context.transformer = ImageTextTransformer("© Ada", font: "Sans Bold 14", at: .bottomRight)
/// ```
nonisolated public struct ImageTextTransformer: ImageTransformer {
    private let text: String
    private let font: String
    private let color: RGBAColor
    private let placement: OverlayPlacement

    /// A transformer that writes `text`.
    ///
    /// - Parameters:
    ///   - text: May have several lines.
    ///   - font: Pango's description of a font; its size is in points of the picture.
    ///   - color: White by default.
    ///   - placement: The place of the text's box, by default eight points from the bottom right corner.
    public init(
        _ text: String, font: String = "Sans 14", color: RGBAColor = .white,
        at placement: OverlayPlacement = OverlayPlacement(
            anchor: UnitPoint(x: 1, y: 1), offset: PointSize(width: -8, height: -8))
    ) {
        self.text = text
        self.font = font
        self.color = color
        self.placement = placement
    }

    /// The text with its font, colour and place.
    public var transformerKey: String {
        let (anchor, offset) = (placement.anchor, placement.offset)
        return
            "ImageTextTransformer(\(text),\(font),\(color.hex),\(anchor.x),\(anchor.y),\(offset.width),\(offset.height))"
    }

    /// The picture with the text; the picture itself where the text has no visible part.
    public func transform(_ image: Image, for key: CacheKey) -> Image? {
        let drawing = TextBitmap(text, font: font, color: color, scale: image.scale).draw()
        return drawing.map { image.overlaid(with: Image(bitmap: $0), at: placement) } ?? image
    }
}
