extension Image {
    /// The part of the picture in a rectangle, as a person sees it: in points from the top left corner of the upright
    /// picture. Edges are rounded to whole pixels, and what lies outside of the picture is left out. The result is a
    /// still picture in memory with the same ``scale``.
    ///
    /// Blocks; any thread.
    /// - Returns: Nil when a side is not positive, a number is NaN, nothing of the picture is in the rectangle, or there
    ///   is no memory.
    public func cropped(to rectangle: PointRect) -> Image? {
        guard !rectangle.size.isEmpty, let columns = pixels(rectangle.x, rectangle.maxX, of: pixelSize.width),
            let rows = pixels(rectangle.y, rectangle.maxY, of: pixelSize.height)
        else { return nil }
        return (try? bitmap.cropped(columns: columns, rows: rows)).map(still)
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
        guard aspectRatio > 0, aspectRatio.isFinite, !focus.x.isNaN, !focus.y.isNaN else { return nil }
        let (width, height) = (Double(pixelSize.width), Double(pixelSize.height))
        let columns = Self.part(width, length: height * aspectRatio, around: focus.x)
        let rows = Self.part(height, length: width / aspectRatio, around: focus.y)
        return (try? bitmap.cropped(columns: columns, rows: rows)).map(still)
    }

    /// The pixels between two places in points; nil for none. At least one pixel for a rectangle inside of one.
    private func pixels(_ start: Double, _ end: Double, of length: Int) -> Range<Int>? {
        let limits = 0...Double(length)
        guard !start.isNaN, !end.isNaN, start * scale < limits.upperBound, end * scale > 0 else { return nil }
        let (first, last) = (
            (start * scale).clamped(to: limits, orElse: 0), (end * scale).clamped(to: limits, orElse: 0)
        )
        let lower = min(length - 1, Int(first.rounded()))
        return lower..<max(lower + 1, Int(last.rounded()))
    }

    private static func part(_ whole: Double, length: Double, around focus: Double) -> Range<Int> {
        let count = max(1, min(whole, length.rounded()))
        let start = (focus * whole - count / 2).rounded().clamped(to: 0...whole - count, orElse: 0)
        return Int(start)..<Int(start + count)
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
