import CGtk4
import FoundationEssentials
import WebImage
import XCTest

@testable import WebImageGTK

/// Pictures in a `GtkImage`, which is made for icons.
final class ImageViewTests: ViewTestCase, @unchecked Sendable {
    /// VIEW-5, VIEW-16: whatever the picture's size is, that of the widget stays its own.
    func testAnImageShowsThePictureInItsOwnSize() throws {
        try onMainThread {
            try requireDisplay()
            let widget: UnsafeMutablePointer<GtkWidget> = gtk_image_new()
            gtk_image_set_pixel_size(OpaquePointer(widget), 32)
            let stage = try shown(widget)
            defer { stage.close() }
            load(.red, in: ImageView(widget), TestStage())
            settle(stage)
            XCTAssertEqual([gtk_widget_get_width(widget), gtk_widget_get_height(widget)], [32, 32])
            XCTAssertEqual(stage.middles(), [.red])
        }
    }

    /// VIEW-3: nothing to show is the icon that the app has chosen.
    func testTheIconComesBack() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_image_new_from_icon_name("image-missing"))
            defer { stage.close() }
            let (view, image) = (ImageView(stage.widget), OpaquePointer(stage.widget))
            load(.red, in: view, TestStage())
            XCTAssertEqual(gtk_image_get_storage_type(image), GTK_IMAGE_PAINTABLE)
            view.image = nil
            XCTAssertEqual(gtk_image_get_icon_name(image).map { String(cString: $0) }, "image-missing")
            view.image = nil
            XCTAssertEqual(gtk_image_get_icon_name(image).map { String(cString: $0) }, "image-missing")
        }
    }

    func testIconsOfAllKindsComeBack() throws {
        try onMainThread {
            try requireDisplay()
            let image: OpaquePointer = OpaquePointer(g_object_ref_sink(UnsafeMutableRawPointer(gtk_image_new())))
            defer { g_object_unref(UnsafeMutableRawPointer(image)) }
            let view = ImageView(image)
            let icon = g_themed_icon_new("folder")
            gtk_image_set_from_gicon(image, icon)
            g_object_unref(UnsafeMutableRawPointer(icon))
            view.image = try Colour.red.image()
            view.image = try Colour.green.image()
            view.image = nil
            XCTAssertEqual(gtk_image_get_storage_type(image), GTK_IMAGE_GICON)
            let own = PaintableHandle(StillContent(try Colour.blue.image()))
            gtk_image_set_from_paintable(image, own.pointer)
            XCTAssertNil(view.image)
            view.image = try Colour.red.image()
            view.image = nil
            XCTAssertEqual(gtk_image_get_paintable(image), own.pointer)
            gtk_image_clear(image)
            view.image = try Colour.red.image()
            view.image = nil
            XCTAssertEqual(gtk_image_get_storage_type(image), GTK_IMAGE_EMPTY)
        }
    }

    func testAnIconThatTheAppSetsMeanwhileStays() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_image_new_from_icon_name("image-missing"))
            defer { stage.close() }
            let (view, image) = (ImageView(stage.widget), OpaquePointer(stage.widget))
            view.image = try Colour.red.image()
            gtk_image_set_from_icon_name(image, "folder")
            XCTAssertNil(view.image)
            view.image = nil
            XCTAssertEqual(gtk_image_get_icon_name(image).map { String(cString: $0) }, "folder")
        }
    }
}
