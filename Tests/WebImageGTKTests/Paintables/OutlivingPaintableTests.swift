import CGtk4
import WebImage
import XCTest

@testable import WebImageGTK

/// A widget's paintable may also be shown elsewhere, and after the end of the widget: as a drag icon, or in a viewer
/// that a thumbnail opens.
final class OutlivingPaintableTests: GTKTestCase, @unchecked Sendable {
    func testAPictureAtRestOutlivesItsWidget() throws {
        try check { scene in scene.display.show(try Colour.blue.image()) }
    }

    func testASeenThroughPictureOutlivesItsWidget() throws {
        try check(alpha: 128) { scene in
            scene.display.show(try Colour.blue.image())
            scene.display.appearance.alpha = 0.5
        }
    }

    func testAPictureInTilesOutlivesItsWidget() throws {
        try check { scene in scene.display.show(try Colour.blue.image(width: 4, height: 9000)) }
    }

    func testATransitionOutlivesItsWidget() throws {
        try check(alpha: nil) { scene in
            scene.display.show(try Colour.red.image())
            scene.start(try Colour.blue.image(), .flipFromLeft, self)
            scene.advance(self, by: 300_000)
        }
    }

    func testAnIconUnderAnIndicatorOutlivesItsWidget() throws {
        try onMainThread {
            try requireDisplay()
            let image: UnsafeMutablePointer<GtkWidget> = gtk_image_new_from_icon_name("image-missing")
            let stage = WidgetStage(image)
            iterate(until: { stage.isMapped }, "the window")
            let test = TestStage()
            ImageView(image).imageIndicator = ActivityIndicator.large
            ImageView(image).setImage(with: test.url("a"), context: test.context)
            let paintable = try XCTUnwrap(gtk_image_get_paintable(OpaquePointer(image)))
            draw(paintable, of: image) { stage.close() }
        }
    }

    /// - Parameter alpha: The picture's alpha after the end of its widget; nil for any.
    private func check(alpha: UInt8? = 255, _ prepare: @MainActor (DisplayScene) throws -> Void) throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            try prepare(scene)
            let paintable = try XCTUnwrap(gtk_picture_get_paintable(OpaquePointer(scene.widget)))
            let drawn = draw(paintable, of: scene.widget) {
                scene.forget()
                scene.stage.close()
            }
            if let alpha { XCTAssertEqual(drawn.colour(x: 4, y: 4).alpha, alpha) }
        }
    }

    /// Draws `paintable`, and its current image, after `widget` was freed. GTK warns about invalid widgets.
    @MainActor @discardableResult
    private func draw(
        _ paintable: OpaquePointer, of widget: UnsafeMutablePointer<GtkWidget>, afterwards close: () -> Void
    ) -> Rendering {
        let live = LiveObjects()
        live.watch(UnsafeMutableRawPointer(widget))
        return withExtendedLifetime(PaintableHandle(retaining: paintable)) {
            let current = PaintableHandle(currentImageOf: paintable)
            close()
            XCTAssertEqual(live.count, 0, "the widget is still there")
            _ = Rendering(current, width: 8, height: 8)
            _ = Rendering(PaintableHandle(currentImageOf: paintable), width: 8, height: 8)
            return Rendering(paintable, width: 8, height: 8)
        }
    }
}
