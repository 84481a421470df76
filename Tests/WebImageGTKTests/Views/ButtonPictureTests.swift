import CGtk4
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The place of a button's picture: beside the label, and in place of its icon.
final class ButtonPictureTests: ButtonTestCase, @unchecked Sendable {
    func testAButtonWithoutAChildGetsAPicture() throws {
        try onButton { stage, button, _ in
            button.setImage(with: nil)
            XCTAssertNil(stage.widget.buttonChild, "nothing is to be shown")
            load(.red, in: button, TestStage())
            XCTAssertEqual(stage.widget.buttonChild, button.imageWidget)
            XCTAssertNotEqual(gtk_widget_has_css_class(stage.widget, "image-button"), 0)
        }
    }

    /// VIEW-14: the label stays, with the picture before it, in either text direction.
    func testThePictureStandsBesideTheLabel() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_button_new_with_label("Ada Lovelace"))
            defer { stage.close() }
            let button = ButtonView(stage.widget)
            let label = try XCTUnwrap(stage.widget.buttonChild)
            let (width, height) = (gtk_widget_get_width(stage.widget), gtk_widget_get_height(stage.widget))
            load(.red, in: button, TestStage())
            drawFrames(4, of: stage.window)
            let picture = try XCTUnwrap(button.imageWidget)
            XCTAssertEqual(stage.widget.buttonChild, label)
            XCTAssertEqual(
                gtk_button_get_label(stage.widget.of(GtkButton.self)).map { String(cString: $0) }, "Ada Lovelace")
            XCTAssertEqual(gtk_widget_get_width(picture), 16)
            XCTAssertGreaterThanOrEqual(gtk_widget_get_width(stage.widget), width + 16)
            XCTAssertEqual(gtk_widget_get_height(stage.widget), height)
            XCTAssertEqual(x(of: label, in: stage) - x(of: picture, in: stage), 22, accuracy: 0.1)
            XCTAssertEqual(stage.middles(of: picture), [.red])
            gtk_widget_set_direction(stage.widget, GTK_TEXT_DIR_RTL)
            drawFrames(4, of: stage.window)
            let end = x(of: label, in: stage) + Double(gtk_widget_get_width(label))
            XCTAssertEqual(x(of: picture, in: stage) - end, 6, accuracy: 0.1)
        }
    }

    func testTheButtonsOwnIconMakesRoomAndComesBack() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_button_new_from_icon_name("open-menu-symbolic"))
            defer { stage.close() }
            let button = ButtonView(stage.widget)
            let icon = try XCTUnwrap(stage.widget.buttonChild)
            load(.red, in: button, TestStage())
            XCTAssertEqual(button.imageWidget, icon)
            XCTAssertEqual(try seen(button, stage), [.red])
            button.image = nil
            let name = gtk_button_get_icon_name(stage.widget.of(GtkButton.self)).map { String(cString: $0) }
            XCTAssertEqual(name, "open-menu-symbolic")
            XCTAssertEqual(gtk_image_get_storage_type(OpaquePointer(icon)), GTK_IMAGE_ICON_NAME)
        }
    }

    /// Changes of the app to its own button while pictures are shown.
    func testThePicturesStayWhenTheAppChangesTheButton() throws {
        try onButton { stage, button, _ in
            load(.red, in: button, TestStage())
            gtk_button_set_label(stage.widget.of(GtkButton.self), "Ada")
            XCTAssertEqual(try seen(button, stage), [.red])
            XCTAssertNotEqual(stage.widget.buttonChild, button.imageWidget)
            gtk_button_set_label(stage.widget.of(GtkButton.self), "Grace")
            XCTAssertEqual(try seen(button, stage), [.red])
            gtk_button_set_child(stage.widget.of(GtkButton.self), nil)
            XCTAssertEqual(try seen(button, stage), [.red])
            button.image = nil
            XCTAssertNil(button.image)
            load(.blue, in: button, TestStage())
            XCTAssertEqual(try seen(button, stage), [.blue])
        }
    }

    /// A paintable that the app sets in a state is that state's picture.
    func testTheAppsOwnPictureIsThatOfTheNormalState() throws {
        try onButton { stage, button, _ in
            let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
            let own = PaintableHandle(StillContent(try Colour.red.image(width: 16, height: 16)))
            gtk_picture_set_paintable(OpaquePointer(picture), own.pointer)
            gtk_button_set_child(stage.widget.of(GtkButton.self), picture)
            load(.green, in: button.imageView(for: .prelight), TestStage())
            XCTAssertEqual(try seen(button, stage), [.red])
            gtk_widget_set_state_flags(stage.widget, GTK_STATE_FLAG_PRELIGHT, 0)
            XCTAssertEqual(try seen(button, stage), [.green])
            gtk_widget_unset_state_flags(stage.widget, GTK_STATE_FLAG_PRELIGHT)
            XCTAssertEqual(gtk_picture_get_paintable(OpaquePointer(picture)), own.pointer)
            XCTAssertNil(button.image)
        }
    }

    /// An indicator over a button with a label and a picture moves neither, whichever was set first.
    func testAnIndicatorLeavesLabelAndPictureSideBySide() throws {
        try onMainThread {
            try requireDisplay()
            for isIndicatorFirst in [true, false] {
                let stage = try shown(gtk_button_new_with_label("Ada Lovelace"))
                let button = ButtonView(stage.widget)
                let indicator = ActivityIndicator()
                if isIndicatorFirst { button.imageIndicator = indicator }
                button.image = try Colour.red.image()
                button.imageIndicator = indicator
                drawFrames(4, of: stage.window)
                let label = try XCTUnwrap(stage.widget.buttonChild)
                let picture = try XCTUnwrap(button.imageWidget)
                XCTAssertEqual(x(of: label, in: stage) - x(of: picture, in: stage), 22, accuracy: 0.1)
                button.imageIndicator = nil
                drawFrames(4, of: stage.window)
                XCTAssertEqual(x(of: label, in: stage) - x(of: picture, in: stage), 22, accuracy: 0.1)
                XCTAssertEqual(stage.middles(of: picture), [.red])
                stage.close()
            }
        }
    }

    @MainActor
    private func x(of widget: UnsafeMutablePointer<GtkWidget>, in stage: WidgetStage) -> Double {
        stage.point(0, 0, of: widget).x
    }
}
