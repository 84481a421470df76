import WebImageCore

/// The groups of blocks (MCUs) that a region needs: its own, and one on each side, whose colours smooth its edges.
struct JPEGGroups {
    let columns: Range<Int>
    let rows: Range<Int>
    private let groupSize: PixelSize

    /// - Parameter region: Pixels of the picture reduced to a half, a quarter or not at all.
    init(around region: PixelRegion, reduction: Int, of map: JPEGMap) {
        groupSize = map.groupSize
        columns = Self.groups(region.columns, reduction, groupSize.width, count: map.columns)
        rows = Self.groups(region.rows, reduction, groupSize.height, count: map.rows)
    }

    private static func groups(_ pixels: Range<Int>, _ reduction: Int, _ length: Int, count: Int) -> Range<Int> {
        let first = pixels.lowerBound * reduction / length - 1
        let end = (pixels.upperBound * reduction + length - 1) / length + 1
        return (first..<max(first, end)).clamped(to: 0..<count)
    }

    /// The pixels of all groups, in full size.
    func pixels(of size: PixelSize) -> PixelRegion {
        PixelRegion(
            columns: columns.lowerBound * groupSize.width..<columns.upperBound * groupSize.width,
            rows: rows.lowerBound * groupSize.height..<rows.upperBound * groupSize.height
        ).clamped(to: size)
    }
}

extension PixelRegion {
    /// The pixels of the reduced picture, for a region that begins at whole ones.
    func reduced(by reduction: Int) -> PixelRegion {
        PixelRegion(columns: columns.reduced(by: reduction), rows: rows.reduced(by: reduction))
    }
}

extension Range<Int> {
    fileprivate func reduced(by reduction: Int) -> Range<Int> {
        lowerBound / reduction..<(upperBound + reduction - 1) / reduction
    }
}
