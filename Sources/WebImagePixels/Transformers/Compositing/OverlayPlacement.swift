import WebImageCore

/// The place of an overlay on a picture.
public struct OverlayPlacement: Sendable, Hashable {
    /// The place of the picture at which the same place of the overlay lies: (0, 0) puts it into the top left corner,
    /// (0.5, 0.5) into the centre, (1, 1) into the bottom right corner.
    public var anchor: UnitPoint
    /// How far the overlay is moved from there, in points to the right and down.
    public var offset: PointSize

    /// A place by its anchor, moved by `offset` points.
    public init(anchor: UnitPoint, offset: PointSize = PointSize(width: 0, height: 0)) {
        self.anchor = anchor
        self.offset = offset
    }

    /// In the top left corner.
    public static let topLeft = OverlayPlacement(anchor: UnitPoint(x: 0, y: 0))
    /// In the middle of the top edge.
    public static let top = OverlayPlacement(anchor: UnitPoint(x: 0.5, y: 0))
    /// In the top right corner.
    public static let topRight = OverlayPlacement(anchor: UnitPoint(x: 1, y: 0))
    /// In the middle of the left edge.
    public static let left = OverlayPlacement(anchor: UnitPoint(x: 0, y: 0.5))
    /// In the centre.
    public static let center = OverlayPlacement(anchor: .center)
    /// In the middle of the right edge.
    public static let right = OverlayPlacement(anchor: UnitPoint(x: 1, y: 0.5))
    /// In the bottom left corner.
    public static let bottomLeft = OverlayPlacement(anchor: UnitPoint(x: 0, y: 1))
    /// In the middle of the bottom edge.
    public static let bottom = OverlayPlacement(anchor: UnitPoint(x: 0.5, y: 1))
    /// In the bottom right corner.
    public static let bottomRight = OverlayPlacement(anchor: UnitPoint(x: 1, y: 1))

    /// The overlay's top left pixel in the picture; nil when a number is infinite or NaN, or too large.
    func origin(of overlay: PixelSize, in picture: PixelSize, scale: Double) -> (x: Int, y: Int)? {
        let x = anchor.x * Double(picture.width - overlay.width) + offset.width * scale
        let y = anchor.y * Double(picture.height - overlay.height) + offset.height * scale
        guard x.magnitude < 0x1p31, y.magnitude < 0x1p31 else { return nil }
        return (Int(x.rounded()), Int(y.rounded()))
    }
}
