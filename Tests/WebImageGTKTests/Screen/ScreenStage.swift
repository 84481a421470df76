import CGtk4
import CScreen
import WebImage
import WebImageGTK
import WebImageTestSupport
import XCTest

/// A borderless window, drawn by a renderer of the test's choice, and its pixels on the screen.
@MainActor
final class ScreenStage {
    /// The background behind all pictures.
    static let background = Colour(red: 32, green: 64, blue: 96)

    let window = TestWindow.make()
    /// Of the window, in points.
    private(set) var size: PixelSize
    private let child: UnsafeMutablePointer<GtkWidget>
    private let test: GTKTestCase

    /// A window on the screen with `child` in it.
    ///
    /// - Parameters:
    ///   - size: The size of the window, in points.
    ///   - renderer: nil for GTK's choice.
    init(
        _ size: PixelSize, _ child: UnsafeMutablePointer<GtkWidget>, _ renderer: ScreenRenderer?, _ test: GTKTestCase
    ) throws {
        guard webimage_is_x11(gdk_display_get_default()) != 0 else {
            throw XCTSkip("only X11's displays show a test their pixels")
        }
        self.size = size
        self.child = child
        self.test = test
        let window = window.of(GtkWindow.self)
        gtk_window_set_default_size(window, Int32(size.width), Int32(size.height))
        gtk_window_set_child(window, child)
        paintBackground()
        if let renderer { try realize(renderer) }
        gtk_window_present(window)
        test.iterate(until: { gtk_widget_get_width(child) == Int32(size.width) && grab() != nil }, "the window")
    }

    private func realize(_ renderer: ScreenRenderer) throws {
        renderer.draws { gtk_widget_realize(window) }
        guard renderer.draws(window) else {
            close()
            throw XCTSkip("this display draws nothing by \(renderer)")
        }
    }

    /// Resizes the window as a user does.
    func resize(to size: PixelSize) {
        self.size = size
        gtk_window_set_default_size(window.of(GtkWindow.self), Int32(size.width), Int32(size.height))
        test.iterate(
            until: {
                gtk_widget_get_width(child) == Int32(size.width) && gtk_widget_get_height(child) == Int32(size.height)
                    && grab() != nil
            }, "the new size")
    }

    func close() { gtk_window_destroy(window.of(GtkWindow.self)) }

    /// Pixels per point.
    var scale: Int { Int(gtk_widget_get_scale_factor(window)) }

    /// As a window manager's button does; skips the test where there is a window manager.
    func setMinimized(_ isMinimized: Bool) throws {
        guard let surface = gtk_native_get_surface(OpaquePointer(window)),
            webimage_set_minimized(surface, isMinimized ? 1 : 0) != 0
        else { throw XCTSkip("there is a window manager, or the display is none of X11's") }
        test.iterate(
            until: {
                let state = gdk_toplevel_get_state(surface).rawValue & GDK_TOPLEVEL_STATE_MINIMIZED.rawValue
                return (state != 0) == isMinimized
            }, isMinimized ? "the minimised window" : "the window")
    }

    /// The pixels of the window on the X server; nil while it has none.
    func grab() -> Pixels? {
        let size = PixelSize(width: size.width * scale, height: size.height * scale)
        var words = [UInt32](repeating: 0, count: size.area)
        guard let surface = gtk_native_get_surface(OpaquePointer(window)),
            webimage_grab(surface, Int32(size.width), Int32(size.height), &words) != 0
        else { return nil }
        return words.withUnsafeBufferPointer { Pixels(size, words: $0) }
    }

    /// Lays out and draws the window this many times.
    func drawFrames(_ count: Int) {
        guard let clock = gtk_widget_get_frame_clock(window) else { return }
        var frames = 0
        let handler = connect(UnsafeMutableRawPointer(clock), "after-paint") { frames += 1 }
        defer { g_signal_handler_disconnect(UnsafeMutableRawPointer(clock), handler) }
        test.iterate(
            until: {
                gtk_widget_queue_draw(window)
                return frames >= count
            }, "\(count) frames")
    }

    /// Asserts that the window looks like `expected`, to this many decibels, as soon as the current frame is on the
    /// screen.
    func assertSeen(
        _ expected: Pixels, atLeast least: Double, _ what: String, file: StaticString = #filePath, line: UInt = #line
    ) {
        var ratio = 0.0
        test.iterate(
            until: {
                ratio = grab()?.signalToNoise(expected) ?? 0
                return ratio >= least
            }, what, file: file, line: line)
        XCTAssertGreaterThanOrEqual(ratio, least, what, file: file, line: line)
    }

    private func paintBackground() {
        let provider = gtk_css_provider_new()
        let channels = Self.background.channels.prefix(3).map { "\($0)" }.joined(separator: ", ")
        gtk_css_provider_load_from_data(provider, "window { background: rgb(\(channels)); }", -1)
        gtk_style_context_add_provider(
            gtk_widget_get_style_context(window), OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_USER))
        g_object_unref(provider)
    }
}

extension GTKTestCase {
    /// Runs `body`, which opens windows, with this scale factor.
    @MainActor
    func withScreenScale(_ scale: Int32, _ body: () throws -> Void) throws {
        let display = gdk_display_get_default()
        let before = webimage_scale(display)
        guard webimage_set_scale(display, scale) != 0 else {
            throw XCTSkip("only X11's displays change their scale by a call")
        }
        defer { _ = webimage_set_scale(display, before) }
        try body()
    }
}
