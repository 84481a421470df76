import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The decode sizes of views, in real windows.
final class ImageSizingTests: GTKTestCase, @unchecked Sendable {
    func testACellsPictureIsDecodedToItsSizeRequestAtOnce() throws {
        try onList(pictures: 1) { stage in
            stage.present(in: self)
            XCTAssertNotNil(stage.bind(0, to: "a"))
            XCTAssertEqual(stage.boxes.map { $0?.height }, [stage.pixels(64).height], "as wide as the list")
            XCTAssertEqual(stage.view(0).imagePixelSize, stage.boxes.first)
        }
    }

    func testOutsideOfListsPicturesAreDecodedAsTheyAreUnlessAsked() throws {
        try onStage { stage, test in
            stage.view.setImage(with: test.url("a"), context: test.context)
            stage.view.imageSizing = .view
            stage.view.setImage(with: test.url("b"), context: test.context)
            let side = 64 * Int(gtk_widget_get_scale_factor(stage.widgets[0]))
            XCTAssertEqual(
                test.loader.loads.map(\.request.context.imageThumbnailPixelSize),
                [nil, PixelSize(width: side, height: side)])
        }
    }

    func testWhatTheAppSaysWins() throws {
        try onList(pictures: 3) { stage in
            stage.present(in: self)
            stage.bind(0, to: "a", configure: { $0.imageThumbnailPixelSize = PixelSize(width: 5, height: 5) })
            stage.bind(1, to: "b", .scaleDownLargeImages)
            stage.view(2).imageSizing = .file
            stage.bind(2, to: "c")
            XCTAssertEqual(stage.boxes, [PixelSize(width: 5, height: 5), nil, nil])
        }
    }

    func testEachPlaceOfAWidgetHasItsOwn() throws {
        try onMainThread {
            try requireDisplay()
            let widget: UnsafeMutablePointer<GtkWidget> = gtk_button_new()
            g_object_ref_sink(widget)
            defer { g_object_unref(widget) }
            let button = ButtonView(widget)
            button.imageSizing = .view
            XCTAssertEqual(button.imageView(for: .prelight).imageSizing, .view)
            XCTAssertEqual(button.alternateView.imageSizing, .view)
            XCTAssertEqual(button.backgroundView(for: .normal).imageSizing, .automatic)
            button.imageView(for: .prelight).imageSizing = .file
            XCTAssertEqual(button.imageSizing, .view)
            let picture = WebImageView()
            XCTAssertEqual(picture.highlightedView.imageSizing, .view)
            picture.highlightedView.imageSizing = .file
            XCTAssertEqual(picture.imageSizing, .view)
        }
    }

    func testHowLargeAPictureIsDecodedDoesNotChangeWhatIsLaidOut() throws {
        try onList(pictures: 1) { stage in
            stage.present(in: self)
            stage.bind(0, to: "a")
            iterate(until: { !stage.asked.isEmpty }, "the load")
            stage.finish("a", .red)
            iterate(until: { stage.view(0).image != nil }, "the picture")
            let paintable = try XCTUnwrap(gtk_picture_get_paintable(OpaquePointer(stage.pictures[0])))
            XCTAssertEqual(gdk_paintable_get_intrinsic_width(paintable), 400)
            XCTAssertEqual(gdk_paintable_get_intrinsic_height(paintable), 300)
        }
    }
}
