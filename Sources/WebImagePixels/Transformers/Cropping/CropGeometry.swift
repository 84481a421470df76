import WebImageCore

/// The columns and rows of a part of a picture.
package struct CropPart: Sendable, Hashable {
    package let columns: Range<Int>
    package let rows: Range<Int>

    var size: PixelSize { PixelSize(width: columns.count, height: rows.count) }

    /// The smallest part that has both.
    func joined(with other: CropPart) -> CropPart {
        CropPart(columns: columns.joined(with: other.columns), rows: rows.joined(with: other.rows))
    }
}

extension Range<Int> {
    fileprivate func joined(with other: Range<Int>) -> Range<Int> {
        Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
    }
}

extension PointRect {
    /// The pixels of a rectangle in points, as far as the picture reaches; nil for none.
    func pixels(in picture: PixelSize, scale: Double) -> CropPart? {
        guard !size.isEmpty, let columns = Self.pixels(x * scale, maxX * scale, of: picture.width),
            let rows = Self.pixels(y * scale, maxY * scale, of: picture.height)
        else { return nil }
        return CropPart(columns: columns, rows: rows)
    }

    /// The pixels between two places; at least one, for a rectangle inside of a pixel.
    private static func pixels(_ start: Double, _ end: Double, of length: Int) -> Range<Int>? {
        let limits = 0...Double(length)
        guard !start.isNaN, !end.isNaN, start < limits.upperBound, end > 0 else { return nil }
        let first = min(length - 1, Int(start.clamped(to: limits, orElse: 0).rounded()))
        return first..<max(first + 1, Int(end.clamped(to: limits, orElse: 0).rounded()))
    }
}

extension PixelSize {
    /// The largest part with other proportions, around a place; nil for numbers that make none.
    func part(ofAspectRatio aspectRatio: Double, around focus: UnitPoint) -> CropPart? {
        guard aspectRatio > 0, aspectRatio.isFinite, !focus.x.isNaN, !focus.y.isNaN else { return nil }
        let (width, height) = (Double(width), Double(height))
        return CropPart(
            columns: Self.part(width, length: height * aspectRatio, around: focus.x),
            rows: Self.part(height, length: width / aspectRatio, around: focus.y))
    }

    private static func part(_ whole: Double, length: Double, around focus: Double) -> Range<Int> {
        let count = max(1, min(whole, length.rounded()))
        let start = (focus * whole - count / 2).rounded().clamped(to: 0...whole - count, orElse: 0)
        return Int(start)..<Int(start + count)
    }
}
