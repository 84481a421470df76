// The code of Docs/HugePictures.md and of the comment of TiledImage, compiled. A test compares the two, so neither
// changes alone.

import Foundation
import WebImage

// MARK: - Stand-ins for what an app has

private struct Canvas: Sendable {
    func redraw() {}
    func draw(_ bitmap: Bitmap, in rect: PointRect) {}
}

private let view = Canvas()

// MARK: - The page

private func page() async throws {
    let picture = try await TiledImage.open(URL(filePath: "/photos/milky-way.jpg"))
    picture.onTile = { _ in view.redraw() }

    // Whenever the view has moved or zoomed:
    let visible = PointRect(x: 9000, y: 4000, width: 1920, height: 1080)
    picture.setVisible(visible, scale: 1)

    // Whenever it draws:
    view.draw(picture.base.bitmap, in: PointRect(x: 0, y: 0, width: 30_000, height: 20_000))
    for tile in picture.plan(for: visible, scale: 1) { view.draw(tile.bitmap, in: tile.rect) }
}

// MARK: - The comment

private func comment() async throws {
    let picture = try await TiledImage.open(URL(filePath: "/photos/milky-way.jpg"))
    picture.onTile = { _ in view.redraw() }
    picture.setVisible(PointRect(x: 9000, y: 4000, width: 1920, height: 1080), scale: 1)
    for tile in picture.plan(for: PointRect(x: 9000, y: 4000, width: 1920, height: 1080), scale: 1) {
        view.draw(tile.bitmap, in: tile.rect)
    }
}
