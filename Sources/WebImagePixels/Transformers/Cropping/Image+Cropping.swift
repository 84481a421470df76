import WebImageCore

extension Image {
    /// The part of the picture in a rectangle, as a person sees it: in points from the top left corner of the upright
    /// picture. Edges are rounded to whole pixels, and what lies outside of the picture is left out. The result is a
    /// still picture in memory with the same ``scale``.
    ///
    /// Blocks; any thread.
    /// - Returns: Nil when a side is not positive, a number is NaN, nothing of the picture is in the rectangle, or there
    ///   is no memory.
    public func cropped(to rectangle: PointRect) -> Image? {
        rectangle.pixels(in: pixelSize, scale: scale).flatMap(cropped)
    }

    /// The largest part of the picture with other proportions.
    ///
    /// Blocks; any thread.
    /// - Parameters:
    ///   - aspectRatio: The width divided by the height of the result.
    ///   - focus: The place that stays in the middle as far as the picture reaches; from (0, 0), the top left corner, to
    ///     (1, 1). By default the centre.
    /// - Returns: Nil when a number is NaN, the ratio is not positive or infinite, or there is no memory.
    public func cropped(toAspectRatio aspectRatio: Double, focus: UnitPoint = .center) -> Image? {
        pixelSize.part(ofAspectRatio: aspectRatio, around: focus).flatMap(cropped)
    }

    /// The pixels of a part.
    func cropped(to part: CropPart) -> Image? {
        (try? bitmap.cropped(columns: part.columns, rows: part.rows)).map(still)
    }
}

/// A place in a picture: (0, 0) is the top left corner, (1, 1) the bottom right one.
public struct UnitPoint: Sendable, Hashable {
    /// The share of the width from the left edge.
    public var x: Double
    /// The share of the height from the top edge.
    public var y: Double

    /// A place in a picture.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The middle.
    public static let center = UnitPoint(x: 0.5, y: 0.5)
}
