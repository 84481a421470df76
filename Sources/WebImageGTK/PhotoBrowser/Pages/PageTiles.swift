import CGtk4
import Dispatch
import WebImage

/// The sharp parts of a picture that is too large to be decoded as a whole, over its base. Textures are kept as long as
/// their tiles are drawn.
final class PageTiles {
    private let tiled: TiledImage
    private var textures: [TileKey: Texture] = [:]
    /// What was asked for last.
    private var lastLook: Look?
    private let changed: @MainActor @Sendable () -> Void

    /// - Parameter changed: Called on the main thread when a tile has come.
    init(_ tiled: TiledImage, changed: @escaping @MainActor @Sendable () -> Void) {
        self.tiled = tiled
        self.changed = changed
        tiled.onTile = { _ in DispatchQueue.main.async { MainActor.assumeIsolated(changed) } }
    }

    isolated deinit { tiled.close() }

    /// A part of the picture at a size on the screen.
    private struct Look: Equatable {
        /// In pixels of the file.
        let part: PointRect
        /// Device pixels per pixel of the file.
        let scale: Double
    }

    /// nil where nothing of the picture is seen.
    private func look(size: PointSize, visible: PointRect, scale: Double) -> Look? {
        let frame = PointRect(x: 0, y: 0, size: size)
        guard let part = visible.intersection(frame) else { return nil }
        return Look(part: RectMap(frame, to: full)(part), scale: size.width * scale / full.size.width)
    }

    private var full: PointRect {
        PointRect(x: 0, y: 0, width: Double(tiled.pixelSize.width), height: Double(tiled.pixelSize.height))
    }

    /// Draws what is seen of the picture, and asks for the tiles that are missing.
    ///
    /// - Parameters:
    ///   - size: The size of the picture on the screen before any turn, from (0, 0).
    ///   - visible: The part of it that is seen.
    ///   - scale: Device pixels per point.
    ///   - base: Draws the picture as it is without tiles.
    func draw(
        into snapshot: Snapshot, size: PointSize, visible: PointRect, scale: Double, over base: () -> Void
    ) {
        guard let look = look(size: size, visible: visible, scale: scale) else {
            rest()
            return base()
        }
        // A draw for a tile that has come must not ask anew for what memory has no room for.
        if look != lastLook { tiled.setVisible(look.part, scale: look.scale) }
        lastLook = look
        let isCovered = tiled.covers(look.part, scale: look.scale)
        // Over a translucent base, tiles would show a translucent part twice.
        let tiles = isCovered || tiled.base.bitmap.isOpaque ? tiled.plan(for: look.part, scale: look.scale) : []
        let places = tiles.map { RectMap(full, to: PointRect(x: 0, y: 0, size: size))($0.rect) }
        if !isCovered {
            base()
        } else if tiled.base.bitmap.isOpaque {
            drawSeams(between: places, into: snapshot, in: visible, scale: scale, base)
        }
        draw(tiles, at: places, into: snapshot)
    }

    private func draw(_ tiles: [PlacedTile], at places: [PointRect], into snapshot: Snapshot) {
        var drawn: [TileKey: Texture] = [:]
        for (tile, place) in zip(tiles, places) {
            let texture = textures[tile.key] ?? Texture(tile.bitmap)
            drawn[tile.key] = texture
            snapshot.draw(texture, in: place)
        }
        textures = drawn
    }

    /// Draws the base where tiles meet: a renderer may antialias the edges of both, and what lies below shows through.
    private func drawSeams(
        between places: [PointRect], into snapshot: Snapshot, in visible: PointRect, scale: Double, _ base: () -> Void
    ) {
        let pixel = 1 / scale
        for x in Set(places.map(\.x)) where x > visible.x && x < visible.maxX {
            let seam = PointRect(x: x - pixel, y: visible.y, width: 2 * pixel, height: visible.size.height)
            snapshot.clipped(to: seam, base)
        }
        for y in Set(places.map(\.y)) where y > visible.y && y < visible.maxY {
            let seam = PointRect(x: visible.x, y: y - pixel, width: visible.size.width, height: 2 * pixel)
            snapshot.clipped(to: seam, base)
        }
    }

    /// Nothing of the picture is seen: nothing is wanted.
    func rest() {
        guard lastLook != nil else { return }
        textures = [:]
        lastLook = nil
        tiled.setVisible(PointRect(x: 0, y: 0, width: 0, height: 0), scale: 1)
    }
}
