import CGtk4
import CScreen
import WebImage
import WebImageGTK
import XCTest

/// A window without a frame around it, drawn by a renderer of the test's choice, and what people see of it.
@MainActor
final class ScreenStage {
    /// What lies behind all pictures.
    static let background = Colour(red: 32, green: 64, blue: 96)

    let window: UnsafeMutablePointer<GtkWidget> = gtk_window_new()
    private let size: PixelSize
    private let test: GTKTestCase

    /// A window on the screen with `child` in it.
    ///
    /// - Parameter size: Of the window, in points.
    init(
        _ size: PixelSize, _ child: UnsafeMutablePointer<GtkWidget>, _ renderer: ScreenRenderer, _ test: GTKTestCase
    ) throws {
        self.size = size
        self.test = test
        let window = window.of(GtkWindow.self)
        gtk_window_set_decorated(window, 0)
        gtk_window_set_default_size(window, Int32(size.width), Int32(size.height))
        gtk_window_set_child(window, child)
        paintBackground()
        renderer.draws { gtk_widget_realize(self.window) }
        guard renderer.draws(self.window) else {
            close()
            throw XCTSkip("this display draws nothing by \(renderer)")
        }
        gtk_window_present(window)
        test.iterate(until: { gtk_widget_get_width(child) == Int32(size.width) && grab() != nil }, "the window")
    }

    func close() { gtk_window_destroy(window.of(GtkWindow.self)) }

    /// Pixels per point.
    var scale: Int { Int(gtk_widget_get_scale_factor(window)) }

    /// What the X server shows of the window; nil while that is nothing.
    func grab() -> Pixels? {
        let size = PixelSize(width: size.width * scale, height: size.height * scale)
        var words = [UInt32](repeating: 0, count: size.area)
        guard let surface = gtk_native_get_surface(OpaquePointer(window)),
            webimage_grab(surface, Int32(size.width), Int32(size.height), &words) != 0
        else { return nil }
        return words.withUnsafeBufferPointer { Pixels(size, words: $0) }
    }

    /// Lets the window be laid out and drawn so many times.
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

    /// That the window looks like `expected`, to so many decibels, as soon as the frame that is drawn is on the screen.
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
