import CGtk4
import Dispatch
import WebImage

/// The sharp parts of a picture that is too large to be decoded as a whole, over its base. Textures are kept as long as
/// their tiles are drawn.
final class PageTiles {
    let tiled: TiledImage
    private var textures: [TileKey: TileTextures] = [:]
    private var hasTile = false
    /// The part and the scale of the latest request.
    private var lastLook: Look?

    /// - Parameters:
    ///   - changed: Called when a tile has come.
    ///   - failed: Called when a tile cannot be decoded, and none has come. Where some have, as of a file that is cut off
    ///     meanwhile, they stay.
    init(
        _ tiled: TiledImage, changed: @escaping @MainActor @Sendable () -> Void,
        failed: @escaping @MainActor @Sendable () -> Void
    ) {
        self.tiled = tiled
        tiled.onTile = { [weak self] _ in
            Self.onMainThread {
                self?.hasTile = true
                changed()
            }
        }
        let check: @MainActor @Sendable () -> Void = { [weak self] in
            if let self, !hasTile, self.tiled.failure != nil { failed() }
        }
        tiled.onFailure = { _ in Self.onMainThread(check) }
        // It may have failed before.
        Self.onMainThread(check)
    }

    private nonisolated static func onMainThread(_ body: @escaping @MainActor @Sendable () -> Void) {
        DispatchQueue.main.async { MainActor.assumeIsolated(body) }
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
        // Each tile that comes causes a draw, which must not ask again for tiles that memory has no room for.
        if look != lastLook { tiled.setVisible(look.part, scale: look.scale) }
        lastLook = look
        let isCovered = tiled.covers(look.part, scale: look.scale)
        if !isCovered { base() }
        // Over a translucent base, tiles would show a translucent part twice.
        let isOver = isCovered || tiled.base.bitmap.isOpaque
        draw(isOver ? tiled.plan(for: look.part, scale: look.scale) : [], into: snapshot, size: size, scale: scale)
    }

    private func draw(_ tiles: [PlacedTile], into snapshot: Snapshot, size: PointSize, scale: Double) {
        let frame = PointRect(x: 0, y: 0, size: size)
        let map = RectMap(full, to: frame)
        var drawn: [TileKey: TileTextures] = [:]
        for tile in tiles { drawn[tile.key] = textures[tile.key] ?? TileTextures(tile.bitmap) }
        textures = drawn
        snapshot.clipped(to: frame) {
            if tiled.base.bitmap.isOpaque {
                for tile in tiles { drawn[tile.key]?.drawEdges(into: snapshot, around: map(tile.rect), scale: scale) }
            }
            for tile in tiles { drawn[tile.key]?.draw(into: snapshot, in: map(tile.rect)) }
        }
    }

    /// Frees the textures and asks for no tiles, because nothing of the picture is seen.
    func rest() {
        guard lastLook != nil else { return }
        textures = [:]
        lastLook = nil
        tiled.setVisible(PointRect(x: 0, y: 0, width: 0, height: 0), scale: 1)
    }
}
