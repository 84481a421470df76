import CGtk4
import WebImage

/// The texture of a tile, and those of its right and lower edges, which lie below the seams to the next tiles: a renderer
/// may antialias the edges of both tiles, and what lies below shows through there.
struct TileTextures {
    private let tile: Texture
    private let right: Texture?
    private let lower: Texture?

    init(_ bitmap: Bitmap) {
        tile = Texture(bitmap)
        let (width, height) = (bitmap.size.width, bitmap.size.height)
        right = try? Texture(bitmap.cropped(columns: width - 1..<width, rows: 0..<height))
        lower = try? Texture(bitmap.cropped(columns: 0..<width, rows: height - 1..<height))
    }

    func draw(into snapshot: Snapshot, in place: PointRect) { snapshot.draw(tile, in: place) }

    /// Draws a device pixel on both sides of the right and of the lower edge.
    func drawEdges(into snapshot: Snapshot, around place: PointRect, scale: Double) {
        let pixel = 1 / scale
        if let right {
            let edge = PointRect(x: place.maxX - pixel, y: place.y, width: 2 * pixel, height: place.size.height)
            snapshot.draw(right, in: edge)
        }
        if let lower {
            let edge = PointRect(x: place.x, y: place.maxY - pixel, width: place.size.width, height: 2 * pixel)
            snapshot.draw(lower, in: edge)
        }
    }
}
