import CGtk4
import WebImage
import WebImageTestSupport
import XCTest

@testable import WebImageGTK

/// Pictures larger than the texture limits of renderers: above 32,767 pixels cairo draws nothing at all.
final class LargePictureTests: GTKTestCase, @unchecked Sendable {
    func testTilesCoverAPictureOnce() {
        let grid = TileGrid(size: PixelSize(width: 1100, height: 9000))
        let tiles = grid.tiles(in: nil)
        XCTAssertEqual(tiles.count, 3 * 18)
        XCTAssertEqual(tiles.reduce(0) { $0 + $1.size.area }, 1100 * 9000)
        XCTAssertEqual(Set(tiles).count, tiles.count)
    }

    func testOnlyTilesThatAreSeenAreDrawn() {
        let grid = TileGrid(size: PixelSize(width: 600, height: 9000))
        let seen = grid.tiles(in: PointRect(x: 0, y: 600, width: 512, height: 500))
        XCTAssertEqual(seen.map { [$0.x, $0.y] }, [[0, 512], [0, 1024]])
        XCTAssertEqual(grid.tiles(in: PointRect(x: 0, y: -300, width: 600, height: 200)).count, 0)
        XCTAssertEqual(grid.tiles(in: PointRect(x: 0, y: 9100, width: 600, height: 200)).count, 0)
        XCTAssertEqual(grid.tiles(in: PointRect(x: 0, y: 0, width: 0, height: 0)).count, 0)
    }

    func testAPictureHigherThanCairosLimitIsDrawnFromTopToBottom() throws {
        try onMainThread {
            initializeGTK()
            let content = StillContent(try Self.picture)
            for top in [0.0, 20_000, 39_900] {
                try assertRow(content, top: top) { size, draw in Pixels.drawnByCairo(size, draw) }
                if let renderer = OffscreenRenderer.openGL {
                    try assertRow(content, top: top) { size, draw in renderer.draw(size, draw) }
                }
            }
            try requireOpenGL()
        }
    }

    func testAPictureHigherThanCairosLimitFades() throws {
        try onMainThread {
            initializeGTK()
            let content = TransitionContent(
                .crossDissolve, from: nil, to: ViewContent(StillContent(try Self.picture)))
            content.progress = 1
            for top in [0.0, 39_900] {
                try assertRow(content, top: top) { size, draw in Pixels.drawnByCairo(size, draw) }
            }
        }
    }

    func testInAScrollerOnlyWhatIsSeenIsDrawn() throws {
        try onMainThread {
            try requireDisplay()
            let window = scrolled()
            let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
            defer { gtk_window_destroy(window.window.of(GtkWindow.self)) }
            gtk_picture_set_can_shrink(OpaquePointer(picture), 0)
            gtk_scrolled_window_set_child(OpaquePointer(window.scroller), picture)
            let display = Coordinator.of(picture).display
            display.show(try Self.picture)
            gtk_window_present(window.window.of(GtkWindow.self))
            iterate(until: { gtk_widget_get_height(picture) == 40_000 }, "the layout")
            let paintable = try XCTUnwrap(gtk_picture_get_paintable(OpaquePointer(picture)))
            // A window of 200 points shows at most two of the 79 tiles.
            XCTAssertLessThanOrEqual(textures(paintable), 2)

            var redraws = 0
            connect(UnsafeMutableRawPointer(paintable), "invalidate-contents") { redraws += 1 }
            let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(window.scroller))
            gtk_adjustment_set_value(adjustment, 30_000)
            XCTAssertEqual(redraws, 1)
            iterate(until: { self.top(of: picture, in: window.scroller) == -30_000 }, "the scrolling")
            XCTAssertLessThanOrEqual(textures(paintable), 2)
            let color = drawnRow(paintable, top: 30_050)
            XCTAssertEqual(color, Self.color(ofRow: 30_050))

            // A hidden widget does not watch scrolling.
            gtk_widget_set_visible(picture, 0)
            gtk_adjustment_set_value(adjustment, 100)
            XCTAssertEqual(redraws, 1)
        }
    }
}

// MARK: - Steps

extension LargePictureTests {
    private static var picture: Image {
        get throws {
            let size = PixelSize(width: 16, height: 40_000)
            let pixels = (0..<size.height).flatMap { row in (0..<size.width).flatMap { _ in color(ofRow: row).channels }
            }
            return Image(bitmap: try Bitmap(size: size, pixels: pixels))
        }
    }

    /// Changes slowly, so that an adjacent row differs from a row of another tile.
    private static func color(ofRow row: Int) -> Colour {
        Colour(red: UInt8(row / 160), green: UInt8(row % 160), blue: 40)
    }

    /// Draws a hundred rows from `top` on, and compares one of them.
    @MainActor
    private func assertRow(
        _ content: any PaintableContent, top: Double, file: StaticString = #filePath, line: UInt = #line,
        _ draw: (PixelSize, (OpaquePointer) -> Void) -> Pixels
    ) throws {
        let pixels = draw(PixelSize(width: 16, height: 100)) { snapshot in
            var origin = graphene_point_t(x: 0, y: Float(-top))
            gtk_snapshot_translate(snapshot, &origin)
            content.draw(snapshot, width: 16, height: 40_000)
        }
        let expected = Self.color(ofRow: Int(top) + 50)
        let drawn = pixels[8, 50]
        let color = Colour(red: UInt8(drawn[0]), green: UInt8(drawn[1]), blue: UInt8(drawn[2]), alpha: UInt8(drawn[3]))
        assertEqual(color, expected, accuracy: 1, file: file, line: line)
    }

    @MainActor
    private func drawnRow(_ paintable: OpaquePointer, top: Int) -> Colour {
        let pixels = Pixels.drawnByCairo(PixelSize(width: 16, height: 1)) { snapshot in
            var origin = graphene_point_t(x: 0, y: Float(-top))
            gtk_snapshot_translate(snapshot, &origin)
            gdk_paintable_snapshot(paintable, snapshot, 16, 40_000)
        }
        let drawn = pixels[8, 0]
        return Colour(red: UInt8(drawn[0]), green: UInt8(drawn[1]), blue: UInt8(drawn[2]), alpha: UInt8(drawn[3]))
    }

    @MainActor
    private func scrolled() -> (window: UnsafeMutablePointer<GtkWidget>, scroller: UnsafeMutablePointer<GtkWidget>) {
        let window = TestWindow.make()
        let scroller: UnsafeMutablePointer<GtkWidget> = gtk_scrolled_window_new()
        gtk_window_set_default_size(window.of(GtkWindow.self), 200, 200)
        gtk_window_set_child(window.of(GtkWindow.self), scroller)
        return (window, scroller)
    }

    @MainActor
    private func top(of widget: UnsafeMutablePointer<GtkWidget>, in ancestor: UnsafeMutablePointer<GtkWidget>) -> Float
    {
        var bounds = graphene_rect_t()
        _ = gtk_widget_compute_bounds(widget, ancestor, &bounds)
        return bounds.origin.y
    }

    /// The number of drawn textures.
    @MainActor
    private func textures(_ paintable: OpaquePointer) -> Int {
        let node = Pixels.node { gdk_paintable_snapshot(paintable, $0, 16, 40_000) }
        guard let node else { return 0 }
        defer { gsk_render_node_unref(node) }
        return node.textureCount
    }
}
