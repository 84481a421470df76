import CGtk4
import XCTest

@testable import WebImageGTK

/// One object as several of GTK's types.
final class ObjectPointerTests: GTKTestCase, @unchecked Sendable {
    func testOneAddressWhateverTheType() throws {
        try onMainThread {
            try requireDisplay()
            let box: UnsafeMutablePointer<GtkWidget> = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
            g_object_ref_sink(box)
            defer { g_object_unref(box) }
            gtk_box_append(cast(box), gtk_label_new("a"))
            gtk_label_set_text(cast(gtk_widget_get_first_child(box)), "b")
            let (typed, opaque): (UnsafeMutablePointer<GtkBox>, OpaquePointer) = (cast(box), cast(box))
            XCTAssertEqual(typed.address, box.address)
            XCTAssertEqual(opaque.address, box.address)
            XCTAssertEqual(box.address.address, box.address)
            let none: UnsafeMutablePointer<GtkBox>? = cast(nil as OpaquePointer?)
            XCTAssertNil(none)
            XCTAssertNil(cast(nil as OpaquePointer?) as OpaquePointer?)
        }
    }

    /// Its own class, those above it, and structs that are no class.
    func testAnotherClassIsNoticed() throws {
        try onMainThread {
            try requireDisplay()
            let box: UnsafeMutablePointer<GtkWidget> = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
            g_object_ref_sink(box)
            defer { g_object_unref(box) }
            // Classes have names once they are used.
            XCTAssertNotEqual(gtk_window_get_type(), 0)
            XCTAssertTrue(box.address.isInstance(of: GtkBox.self))
            XCTAssertTrue(box.address.isInstance(of: GtkWidget.self))
            XCTAssertTrue(box.address.isInstance(of: GObject.self))
            XCTAssertTrue(box.address.isInstance(of: Int.self))
            XCTAssertFalse(box.address.isInstance(of: GtkWindow.self))
        }
    }
}
