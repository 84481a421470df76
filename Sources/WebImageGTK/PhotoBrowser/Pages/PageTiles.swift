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

    /// - Parameters:
    ///   - size: The size of the picture on the screen before any turn, from (0, 0).
    ///   - visible: The part of it that is seen.
    ///   - scale: Device pixels per point.
    private func look(size: PointSize, visible: PointRect, scale: Double) -> Look? {
        let frame = PointRect(x: 0, y: 0, size: size)
        guard let part = visible.intersection(frame) else { return nil }
        return Look(part: RectMap(frame, to: full)(part), scale: size.width * scale / full.size.width)
    }

    private var full: PointRect {
        PointRect(x: 0, y: 0, width: Double(tiled.pixelSize.width), height: Double(tiled.pixelSize.height))
    }

    /// Whether the tiles cover all that is seen, so that their base need not be drawn.
    func isComplete(size: PointSize, visible: PointRect, scale: Double) -> Bool {
        look(size: size, visible: visible, scale: scale).map {
            tiled.missingTiles(for: $0.part, scale: $0.scale).isEmpty
        } ?? false
    }

    /// Draws the tiles that are there, and asks for those that are missing. The parameters are those of
    /// ``isComplete(size:visible:scale:)``.
    func draw(into snapshot: Snapshot, size: PointSize, visible: PointRect, scale: Double) {
        guard let look = look(size: size, visible: visible, scale: scale) else { return rest() }
        // A draw for a tile that has come must not ask anew for what memory has no room for.
        if look != lastLook { tiled.setVisible(look.part, scale: look.scale) }
        lastLook = look
        let frame = PointRect(x: 0, y: 0, size: size)
        let toFrame = RectMap(full, to: frame)
        var drawn: [TileKey: Texture] = [:]
        snapshot.clipped(to: frame) {
            for tile in tiled.plan(for: look.part, scale: look.scale) {
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
        lastLook = nil
        tiled.setVisible(PointRect(x: 0, y: 0, width: 0, height: 0), scale: 1)
    }
}
