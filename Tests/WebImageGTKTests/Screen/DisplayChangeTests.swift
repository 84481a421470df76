import CGtk4
import CScreen
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Displays that change or are closed during loads.
final class DisplayChangeTests: GTKTestCase, @unchecked Sendable {
    func testOnADenserScreenAPictureIsDecodedAnewAndStaysUntilThen() throws {
        try onList(pictures: 1) { stage in
            let view = stage.view(0)
            view.imageTransition = .fade
            view.imageIndicator = ActivityIndicator.medium
            stage.show()
            stage.bind(0, to: "a", configure: { $0.originalStoreCacheType = .noCache })
            let coarse = try settle(stage)
            let count = stage.loader.loads.count

            try withDoubledScale(of: stage.window) {
                iterate(until: { stage.loader.loads.count > count }, "another decode")
                XCTAssertTrue(view.image === coarse, "nothing is taken away before there is something sharper")
                XCTAssertGreaterThan(try settle(stage).pixelSize.width, coarse.pixelSize.width)
            }
            let sharp = stage.loader.loads.count
            drawFrames(stage, 4)
            XCTAssertEqual(stage.loader.loads.count, sharp, "nothing is decoded for a coarser screen")
        }
    }

    /// During a transition: it continues at the new scale.
    func testATransitionOutlivesTheChangeToADenserScreen() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            scene.display.show(try Colour.red.image())
            scene.start(try Colour.blue.image(), .crossDissolve, self)
            scene.advance(self, by: 500_000)
            assertEqual(scene.stage.colour, Colour(red: 128, green: 0, blue: 128))
            try withDoubledScale(of: scene.stage.window) {
                scene.advance(self, by: 250_000)
                assertEqual(scene.stage.colour, Colour(red: 64, green: 0, blue: 191))
            }
            scene.finish(self)
            XCTAssertEqual(scene.endings, [true])
        }
    }

    /// S0-23: as when the connection to the X server is lost: the widgets of that display are unusable then.
    func testADisplayMayBeClosedWhilePicturesLoadAndMove() throws {
        try onMainThread {
            try requireDisplay()
            try checkClosing { stage, display, finish in
                connect(UnsafeMutableRawPointer(display), "closed") { stage.close() }
                gdk_display_close(display)
                finish()
            }
            // Newer versions of GTK end the process when they draw a window that has outlived its display.
            guard gtk_get_minor_version() <= 8 else { return }
            try checkClosing { stage, display, finish in
                gdk_display_close(display)
                finish()
                for _ in 0..<20 { g_main_context_iteration(nil, 0) }
                stage.close()
            }
        }
    }

    /// - Parameter close: Closes the display and the window, and lets a load finish at some time.
    @MainActor
    private func checkClosing(
        _ close: @MainActor (_ stage: Stage, _ display: OpaquePointer, _ finish: () -> Void) -> Void
    ) throws {
        let display = try secondDisplay()
        let stage = Stage(pictures: 3)
        let test = TestStage()
        gtk_window_set_display(stage.window.of(GtkWindow.self), display)
        stage.present(in: self)
        let views = stage.widgets.map { PictureView($0) }
        for view in views {
            view.imageTransition = .curlUp(duration: .seconds(60))
            view.imageIndicator = CircularProgressIndicator.large
        }
        var endings = 0
        for (index, view) in views.enumerated() {
            view.setImage(with: test.url("\(index)"), context: test.context) { _ in endings += 1 }
        }
        test.finish(test.url("0"), .blue)
        iterate(until: { endings == 1 }, "the first picture")
        close(stage, display) { test.finish(test.url("1"), .blue) }
        iterate(until: { endings == 3 }, "the end of all loads")
        for _ in 0..<20 { g_main_context_iteration(nil, 0) }
        g_object_unref(UnsafeMutableRawPointer(display))
    }

    /// The library's state per display exists for each display.
    func testStylesAreThereOnASecondDisplay() throws {
        try onMainThread {
            try requireDisplay()
            let second = try secondDisplay()
            for display in [nil, second, nil, second] { try checkStyles(on: display) }
            gdk_display_close(second)
            g_object_unref(UnsafeMutableRawPointer(second))
        }
    }

    /// Another connection to the same X server.
    @MainActor
    private func secondDisplay() throws -> OpaquePointer {
        guard webimage_is_x11(gdk_display_get_default()) != 0 else {
            throw XCTSkip("GTK itself complains of a window whose Wayland display is closed")
        }
        let display = try XCTUnwrap(gdk_display_open(gdk_display_get_name(gdk_display_get_default())))
        // At the end of a display, the OpenGL contexts of newer versions of GTK complain that its pointer is gone.
        if gtk_get_minor_version() > 8 { ScreenRenderer.cairo.drawsAll(of: display) }
        return display
    }

    /// - Parameter display: nil for the default one, where all widgets are before they are put into a window.
    @MainActor
    private func checkStyles(on display: OpaquePointer?) throws {
        let window = TestWindow.make()
        defer { gtk_window_destroy(window.of(GtkWindow.self)) }
        if let display { gtk_window_set_display(window.of(GtkWindow.self), display) }
        let view = WebImageView()
        let indicator = ActivityIndicator.gray
        gtk_widget_set_size_request(view.widget, 40, 40)
        view.contentFit = .fill
        view.cornerRadius = 12
        view.image = try Colour.red.image()
        view.imageIndicator = indicator
        indicator.startAnimating()
        gtk_window_set_child(window.of(GtkWindow.self), view.widget)
        gtk_window_present(window.of(GtkWindow.self))
        iterate(until: { gtk_widget_get_mapped(indicator.indicatorView) != 0 }, "the window")
        var color = GdkRGBA()
        gtk_style_context_get_color(gtk_widget_get_style_context(indicator.indicatorView), &color)
        XCTAssertEqual(color.red, 128 / 255, accuracy: 0.01)
        let paintable: OpaquePointer = gtk_widget_paintable_new(view.widget)
        defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
        // In addition to the indicator.
        iterate(until: { Rendering(paintable, width: 40, height: 40).colour(x: 20, y: 3) == .red }, "the first frame")
        XCTAssertEqual(Rendering(paintable, width: 40, height: 40).colour(x: 1, y: 1), .clear, "a corner")
    }

    /// Lets the list's only picture load until it is decoded for the current size, and returns it.
    @MainActor
    private func settle(_ stage: ListStage) throws -> Image {
        iterate(
            until: {
                stage.finish("a", .red)
                return stage.isOnScreen && stage.view(0).image != nil
                    && stage.boxes.last == stage.view(0).imagePixelSize && !stage.manager.isRunning
            }, "the picture")
        return try XCTUnwrap(stage.view(0).image)
    }

    /// Runs `body` while the screen has a scale factor of 2.
    @MainActor
    private func withDoubledScale(of window: UnsafeMutablePointer<GtkWidget>, _ body: () throws -> Void) throws {
        let display = gtk_widget_get_display(window)
        let scale = gtk_widget_get_scale_factor(window)
        guard webimage_set_scale(display, 2 * scale) != 0 else {
            throw XCTSkip("only X11's displays change their scale by a call")
        }
        // GDK would also notify a window that has been closed, which the X server does not know any more.
        defer { _ = webimage_set_scale(display, scale) }
        iterate(until: { gtk_widget_get_scale_factor(window) == 2 * scale }, "the new scale")
        try body()
    }
}
