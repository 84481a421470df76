import WebImageCore

/// Names a tile of one ``TiledImage``: the same name is always the same pixels.
public struct TileKey: Sendable, Hashable {
    /// How often both sides of the picture are halved: 0 for full size.
    public let level: Int
    /// The tile's place from the left, 0 for the first.
    public let column: Int
    /// The tile's place from the top, 0 for the first.
    public let row: Int

    /// A key by its three numbers.
    public init(level: Int, column: Int, row: Int) {
        self.level = level
        self.column = column
        self.row = row
    }
}

/// A tile in memory and its place in the picture.
public struct PlacedTile: Sendable {
    /// The tile's name, for a view's cache of textures.
    public let key: TileKey
    /// The pixels: up to ``TiledImage/tileSide`` on a side.
    public let bitmap: Bitmap
    /// The place in pixels of the full size. At the edges it may extend beyond the picture by less than a pixel of the
    /// tile, since a pixel there stands for what is left: clip to the picture.
    public let rect: PointRect
}
