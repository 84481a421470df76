import WebImage

/// The tiles of a picture that is too large for one texture, and the visible ones among them.
nonisolated struct TileGrid {
    /// The side of a tile in pixels. Small tiles draw little beyond the visible part; large ones need few textures.
    static let side = 512

    let size: PixelSize

    /// A picture larger than this on one side is drawn in tiles.
    static func isNeeded(for size: PixelSize) -> Bool { max(size.width, size.height) > 8192 }

    /// The tiles that intersect `part`, in pixels; all for nil.
    func tiles(in part: PointRect?) -> [PixelRect] {
        let columns = indices(part.map { $0.x...$0.maxX }, length: size.width)
        let rows = indices(part.map { $0.y...$0.maxY }, length: size.height)
        return rows.flatMap { row in columns.map { tile(column: $0, row: row) } }
    }

    private func indices(_ range: ClosedRange<Double>?, length: Int) -> Range<Int> {
        let count = (length + Self.side - 1) / Self.side
        guard let range else { return 0..<count }
        guard range.lowerBound < Double(length) else { return 0..<0 }
        func index(_ position: Double, _ rule: FloatingPointRoundingRule) -> Int {
            Int(min(Double(count), max(0, (position / Double(Self.side)).rounded(rule))))
        }
        let first = index(range.lowerBound, .down)
        return first..<max(first, index(range.upperBound, .up))
    }

    private func tile(column: Int, row: Int) -> PixelRect {
        let (x, y) = (column * Self.side, row * Self.side)
        return PixelRect(
            x: x, y: y,
            size: PixelSize(width: min(Self.side, size.width - x), height: min(Self.side, size.height - y)))
    }
}
