import WebImageCore

/// The tiles of a picture: at each level both sides are a half of those at the level before, rounded up.
struct TileGrid: Sendable, Equatable {
    static let defaultSide = 512

    /// The sides of a tile in pixels of its level.
    let side: Int
    let storedSize: PixelSize
    let orientation: ImageOrientation
    /// Levels with tiles; the base stands for the next one.
    let levelCount: Int

    /// The reduction of the base: at least `rowReduction`, which is a power of two.
    init(
        storedSize: PixelSize, orientation: ImageOrientation, rowReduction: Int, baseSide: Int,
        side: Int = TileGrid.defaultSide
    ) {
        self.side = side
        self.storedSize = storedSize
        self.orientation = orientation
        var level = rowReduction.trailingZeroBitCount
        while storedSize.reduced(by: 1 << level).longestSide > baseSide { level += 1 }
        levelCount = level
    }

    /// Upright.
    var pixelSize: PixelSize { orientation.apply(to: storedSize) }

    var baseReduction: Int { 1 << levelCount }

    /// The upright size of a level.
    func size(ofLevel level: Int) -> PixelSize { orientation.apply(to: storedSize.reduced(by: 1 << level)) }

    /// How much more than a pixel of the screen a pixel of a tile may cover, before the next sharper level is shown.
    private static let tolerance = 1.1

    /// The coarsest level that is sharp enough; ``levelCount`` where the base is.
    ///
    /// - Parameter scale: Pixels of the screen for each pixel of the picture.
    func level(forScale scale: Double) -> Int {
        guard scale > 0 else { return levelCount }
        var level = 0
        while level < levelCount, scale * Double(2 << level) <= Self.tolerance { level += 1 }
        return level
    }

    /// The upright pixels of a tile at its level; empty for a tile outside of the picture.
    func region(of key: TileKey) -> PixelRegion {
        PixelRegion(
            columns: key.column * side..<(key.column + 1) * side,
            rows: key.row * side..<(key.row + 1) * side
        ).clamped(to: size(ofLevel: key.level))
    }

    /// The stored pixels of a tile at its level.
    func storedRegion(of key: TileKey) -> PixelRegion {
        region(of: key).stored(in: size(ofLevel: key.level), orientation)
    }

    /// The place of a tile in pixels of the full size.
    func rect(of key: TileKey) -> PointRect {
        let region = region(of: key)
        let (reduction, origin) = (Double(1 << key.level), origin(ofLevel: key.level))
        return PointRect(
            x: Double(region.columns.lowerBound) * reduction + origin.x,
            y: Double(region.rows.lowerBound) * reduction + origin.y,
            width: Double(region.columns.count) * reduction, height: Double(region.rows.count) * reduction)
    }

    /// The beginning of a level. Pixels are put together from the stored beginning of a side; if the upright side
    /// begins at the other end, its first pixel may be one that stands for fewer.
    private func origin(ofLevel level: Int) -> (x: Double, y: Double) {
        let (size, whole) = (size(ofLevel: level), pixelSize)
        return (
            orientation.reversesColumns ? Double(whole.width - size.width << level) : 0,
            orientation.reversesRows ? Double(whole.height - size.height << level) : 0
        )
    }

    /// The tiles of a level that have a part of a rectangle.
    ///
    /// - Parameters:
    ///   - rect: In pixels of the full size.
    ///   - margin: Tiles around them.
    func tiles(in rect: PointRect, level: Int, margin: Int = 0) -> (columns: Range<Int>, rows: Range<Int>) {
        let (size, origin, length) = (size(ofLevel: level), origin(ofLevel: level), Double(side << level))
        return (
            Self.places(rect.x - origin.x, rect.size.width, length, count: (size.width + side - 1) / side, margin),
            Self.places(rect.y - origin.y, rect.size.height, length, count: (size.height + side - 1) / side, margin)
        )
    }

    private static func places(
        _ start: Double, _ length: Double, _ side: Double, count: Int, _ margin: Int
    ) -> Range<Int> {
        guard start.isFinite, length.isFinite, length > 0, start < side * Double(count), start + length > 0 else {
            return 0..<0
        }
        let first = Int(max(0, start) / side) - margin
        let end = Int((min(start + length, side * Double(count)) / side).rounded(.up)) + margin
        return (first..<max(first, end)).clamped(to: 0..<count)
    }
}

extension ImageOrientation {
    /// Whether upright columns are counted from the other end than the stored side that they are.
    fileprivate var reversesColumns: Bool {
        switch self {
        case .upMirrored, .down, .right, .rightMirrored: true
        case .up, .downMirrored, .leftMirrored, .left: false
        }
    }

    /// The same for rows.
    fileprivate var reversesRows: Bool {
        switch self {
        case .down, .downMirrored, .left, .rightMirrored: true
        case .up, .upMirrored, .leftMirrored, .right: false
        }
    }
}
