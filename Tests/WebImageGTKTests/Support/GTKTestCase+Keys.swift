import CGtk4
import CScreen
import XCTest

extension GTKTestCase {
    /// Presses and releases a key of the X server, which sends it to the window with the focus. Skips the test where no key
    /// can be pressed.
    ///
    /// - Parameter key: As GDK numbers them, such as `GDK_KEY_Right`.
    @MainActor
    func pressOnScreen(_ key: Int32, in window: UnsafeMutablePointer<GtkWidget>) throws {
        let surface = try XCTUnwrap(gtk_native_get_surface(OpaquePointer(window)))
        guard webimage_press(surface, guint(key)) != 0 else {
            throw XCTSkip("keys are pressed on X11 only, with libXtst")
        }
    }
}
