import CGtk4
import Dispatch
import WebImage

/// The sharp parts of a picture that is too large to be decoded as a whole, over its base. Textures are kept as long as
/// their tiles are drawn.
final class PageTiles {
    private let tiled: TiledImage
    private var textures: [TileKey: Texture] = [:]
    private let changed: @MainActor @Sendable () -> Void

    /// - Parameter changed: Called on the main thread when a tile has come.
    init(_ tiled: TiledImage, changed: @escaping @MainActor @Sendable () -> Void) {
        self.tiled = tiled
        self.changed = changed
        tiled.onTile = { _ in DispatchQueue.main.async { MainActor.assumeIsolated(changed) } }
    }

    isolated deinit { tiled.close() }

    /// Draws the tiles that are there, and asks for those that are missing.
    ///
    /// - Parameters:
    ///   - size: The size of the picture on the screen before any turn, from (0, 0).
    ///   - visible: The part of it that is seen.
    ///   - scale: Device pixels per point.
    func draw(into snapshot: Snapshot, size: PointSize, visible: PointRect, scale: Double) {
        let full = PointRect(
            x: 0, y: 0, width: Double(tiled.pixelSize.width), height: Double(tiled.pixelSize.height))
        let frame = PointRect(x: 0, y: 0, size: size)
        guard let part = visible.intersection(frame) else { return rest() }
        let wanted = RectMap(frame, to: full)(part)
        let factor = size.width * scale / full.size.width
        tiled.setVisible(wanted, scale: factor)
        let toFrame = RectMap(full, to: frame)
        var drawn: [TileKey: Texture] = [:]
        snapshot.clipped(to: frame) {
            for tile in tiled.plan(for: wanted, scale: factor) {
                let texture = textures[tile.key] ?? Texture(tile.bitmap)
                drawn[tile.key] = texture
                snapshot.draw(texture, in: toFrame(tile.rect))
            }
        }
        textures = drawn
    }

    /// Nothing of the picture is seen: nothing is wanted.
    func rest() {
        textures = [:]
        tiled.setVisible(PointRect(x: 0, y: 0, width: 0, height: 0), scale: 1)
    }
}
