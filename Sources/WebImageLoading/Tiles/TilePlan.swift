import WebImageCore

/// The tiles to draw, and those to decode, for a part of a picture on the screen: computed from the grid and the tiles
/// in memory.
struct TilePlan {
    let grid: TileGrid

    /// The visible tiles, the nearest to the centre first, and those around them.
    func wanted(for rect: PointRect, scale: Double) -> (visible: [TileKey], near: [TileKey]) {
        let level = grid.level(forScale: scale)
        guard level < grid.levelCount else { return ([], []) }
        let inner = keys(grid.tiles(in: rect, level: level), level)
        let seen = Set(inner)
        let outer = keys(grid.tiles(in: rect, level: level, margin: 1), level).filter { !seen.contains($0) }
        return (sorted(inner, from: rect), sorted(outer, from: rect))
    }

    private func keys(_ tiles: (columns: Range<Int>, rows: Range<Int>), _ level: Int) -> [TileKey] {
        tiles.rows.flatMap { row in tiles.columns.map { TileKey(level: level, column: $0, row: row) } }
    }

    private func sorted(_ keys: [TileKey], from rect: PointRect) -> [TileKey] {
        let (x, y) = (rect.x + rect.size.width / 2, rect.y + rect.size.height / 2)
        func distance(_ key: TileKey) -> Double {
            let tile = grid.rect(of: key)
            let (across, down) = (tile.x + tile.size.width / 2 - x, tile.y + tile.size.height / 2 - y)
            return across * across + down * down
        }
        return keys.map { ($0, distance($0)) }.sorted { $0.1 < $1.1 }.map { $0.0 }
    }

    /// The tiles in memory to draw over the base, in this order: where one is missing, coarser and finer ones stand for it.
    func placed(for rect: PointRect, scale: Double, tile: (TileKey) -> Bitmap?, present: [TileKey]) -> [PlacedTile] {
        let level = grid.level(forScale: scale)
        let sharp = level < grid.levelCount ? keys(grid.tiles(in: rect, level: level), level) : []
        let missing = sharp.filter { tile($0) == nil }
        // The base is sharp enough: finer tiles are no longer needed.
        guard !missing.isEmpty else { return sharp.compactMap { place($0, tile) } }
        let coarse = Set(missing.compactMap { coarser(than: $0, tile) }).sorted { $0.level > $1.level }
        let holes = missing.map { grid.rect(of: $0) }
        let fine = present.filter { key in
            key.level < level && holes.contains { $0.intersection(grid.rect(of: key)) != nil }
        }.sorted { $0.level > $1.level }
        return (coarse + fine + sharp).compactMap { place($0, tile) }
    }

    private func place(_ key: TileKey, _ tile: (TileKey) -> Bitmap?) -> PlacedTile? {
        tile(key).map { PlacedTile(key: key, bitmap: $0, rect: grid.rect(of: key)) }
    }

    /// The finest tile in memory that covers the middle of another one.
    private func coarser(than key: TileKey, _ tile: (TileKey) -> Bitmap?) -> TileKey? {
        let rect = grid.rect(of: key)
        let middle = PointRect(x: rect.x + rect.size.width / 2, y: rect.y + rect.size.height / 2, width: 1, height: 1)
        return (key.level + 1..<max(key.level + 1, grid.levelCount)).lazy
            .flatMap { keys(grid.tiles(in: middle, level: $0), $0) }
            .first { tile($0) != nil }
    }
}
