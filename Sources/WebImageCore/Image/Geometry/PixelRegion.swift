/// A rectangle of pixels within a picture.
public struct PixelRegion: Sendable, Hashable {
    /// The columns, counted from the left.
    public var columns: Range<Int>
    /// The rows, counted from the top.
    public var rows: Range<Int>

    /// The pixels that are in both `columns` and `rows`.
    public init(columns: Range<Int>, rows: Range<Int>) {
        self.columns = columns
        self.rows = rows
    }

    /// All of a picture.
    package init(_ size: PixelSize) { self.init(columns: 0..<size.width, rows: 0..<size.height) }

    /// The number of columns and rows.
    public var size: PixelSize { PixelSize(width: columns.count, height: rows.count) }

    package var isEmpty: Bool { columns.isEmpty || rows.isEmpty }

    /// The part within a picture.
    package func clamped(to size: PixelSize) -> PixelRegion {
        PixelRegion(columns: columns.clamped(to: 0..<size.width), rows: rows.clamped(to: 0..<size.height))
    }

    /// The pixels that a region of a reduced picture stands for.
    package func enlarged(by reduction: Int) -> PixelRegion {
        PixelRegion(
            columns: columns.lowerBound * reduction..<columns.upperBound * reduction,
            rows: rows.lowerBound * reduction..<rows.upperBound * reduction)
    }

    /// The same pixels counted from the top left corner of `region`.
    package func relative(to region: PixelRegion) -> PixelRegion {
        PixelRegion(
            columns: columns.moved(by: -region.columns.lowerBound), rows: rows.moved(by: -region.rows.lowerBound))
    }
}

extension PixelRegion {
    /// The pixels of an upright picture as they are stored.
    ///
    /// - Parameter size: The upright size.
    package func stored(in size: PixelSize, _ orientation: ImageOrientation) -> PixelRegion {
        let (across, down) = (columns.reversed(in: size.width), rows.reversed(in: size.height))
        return switch orientation {
        case .up: PixelRegion(columns: columns, rows: rows)
        case .upMirrored: PixelRegion(columns: across, rows: rows)
        case .down: PixelRegion(columns: across, rows: down)
        case .downMirrored: PixelRegion(columns: columns, rows: down)
        case .leftMirrored: PixelRegion(columns: rows, rows: columns)
        case .right: PixelRegion(columns: rows, rows: across)
        case .rightMirrored: PixelRegion(columns: down, rows: across)
        case .left: PixelRegion(columns: down, rows: columns)
        }
    }

    /// The pixels of a stored picture when it is upright.
    ///
    /// - Parameter size: The stored size.
    package func upright(in size: PixelSize, _ orientation: ImageOrientation) -> PixelRegion {
        // Only the two quarter turns are not their own inverse.
        switch orientation {
        case .right: stored(in: size, .left)
        case .left: stored(in: size, .right)
        default: stored(in: size, orientation)
        }
    }
}

extension Range<Int> {
    /// The same places, counted from the other end of a side.
    fileprivate func reversed(in length: Int) -> Range<Int> { length - upperBound..<length - lowerBound }

    fileprivate func moved(by distance: Int) -> Range<Int> { lowerBound + distance..<upperBound + distance }
}

extension PixelSize {
    package var longestSide: Int { max(width, height) }

    /// The size of the picture with `reduction` × `reduction` pixels in one; the last ones may be parts.
    package func reduced(by reduction: Int) -> PixelSize {
        PixelSize(width: (width + reduction - 1) / reduction, height: (height + reduction - 1) / reduction)
    }
}
