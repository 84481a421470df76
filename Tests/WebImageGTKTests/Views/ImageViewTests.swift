import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestSupport
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Pictures in a `GtkImage`, which is made for icons.
final class ImageViewTests: ViewTestCase, @unchecked Sendable {
    /// VIEW-5, VIEW-16: the widget keeps its own size for a picture of any size.
    func testAnImageShowsThePictureInItsOwnSize() throws {
        try onMainThread {
            try requireDisplay()
            let widget: UnsafeMutablePointer<GtkWidget> = gtk_image_new()
            gtk_image_set_pixel_size(OpaquePointer(widget), 32)
            let stage = try shown(widget)
            defer { stage.close() }
            load(.red, in: ImageView(widget), TestStage())
            drawFrames(4, of: stage.window)
            XCTAssertEqual([gtk_widget_get_width(widget), gtk_widget_get_height(widget)], [32, 32])
            XCTAssertEqual(stage.middles(), [.red])
        }
    }

    /// VIEW-3: without a picture, the app's own icon shows.
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
    /// IND-5: an indicator over the icon must neither replace it nor change the layout.
    func testTheIconIsSeenUnderTheIndicatorAndIsThereAfterAFailure() throws {
        try onMainThread {
            try requireDisplay()
            for storage in [GTK_IMAGE_ICON_NAME, GTK_IMAGE_GICON, GTK_IMAGE_PAINTABLE, GTK_IMAGE_EMPTY] {
                for isCancelled in [false, true] { try loadInVain(over: storage, isCancelled: isCancelled) }
            }
        }
    }

    /// An icon that the app sets during a load shows, and stays.
    func testAnIconThatTheAppSetsUnderTheIndicatorStays() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_image_new_from_icon_name("image-missing"))
            defer { stage.close() }
            let (view, image, test) = (ImageView(stage.widget), OpaquePointer(stage.widget), TestStage())
            view.imageIndicator = try TestIndicator(side: 4)
            view.setImage(with: test.url("a"), context: test.context)
            gtk_image_set_from_icon_name(image, "folder")
            XCTAssertEqual(gtk_image_get_storage_type(image), GTK_IMAGE_PAINTABLE, "the indicator is seen")
            view.cancelCurrentImageLoad()
            XCTAssertEqual(gtk_image_get_icon_name(image).map { String(cString: $0) }, "folder")
        }
    }

    @MainActor
    private func loadInVain(over storage: GtkImageType, isCancelled: Bool) throws {
        let stage = try shown(try imageWidget(storage))
        defer { stage.close() }
        let (view, image, test) = (ImageView(stage.widget), OpaquePointer(stage.widget), TestStage())
        let (size, before) = (sizes(of: stage.widget), stage.screenshots())
        let indicator = try TestIndicator(side: 4)
        view.imageIndicator = indicator
        var hasEnded = false
        view.setImage(with: test.url("a"), context: test.context) { _ in hasEnded = true }
        gtk_widget_set_opacity(indicator.indicatorView, 0)
        drawFrames(4, of: stage.window)
        XCTAssertEqual(gtk_image_get_storage_type(image), GTK_IMAGE_PAINTABLE)
        XCTAssertEqual(sizes(of: stage.widget), size, "\(storage)")
        assertSame(stage.screenshots(), before, "the icon under the indicator, \(storage)")
        if isCancelled { view.cancelCurrentImageLoad() } else { test.loader.loads[0].fail(.scripted) }
        iterate(until: { hasEnded }, "the end of the load")
        XCTAssertEqual(gtk_image_get_storage_type(image), storage)
        XCTAssertEqual(sizes(of: stage.widget), size)
        drawFrames(4, of: stage.window)
        assertSame(stage.screenshots(), before, "\(storage)")
    }

    private func assertSame(_ pictures: [Pixels], _ others: [Pixels], _ what: String) {
        XCTAssertFalse(pictures.isEmpty)
        let worst = zip(pictures, others).map { $0.signalToNoise($1) }.min() ?? 0
        XCTAssertGreaterThan(worst, 50, what)
    }

    /// A `GtkImage` with content in one of its forms.
    @MainActor
    private func imageWidget(_ storage: GtkImageType) throws -> UnsafeMutablePointer<GtkWidget> {
        let widget: UnsafeMutablePointer<GtkWidget> = gtk_image_new()
        let image = OpaquePointer(widget)
        gtk_image_set_pixel_size(image, 48)
        switch storage {
        case GTK_IMAGE_ICON_NAME: gtk_image_set_from_icon_name(image, "image-missing-symbolic")
        case GTK_IMAGE_GICON:
            let icon = g_themed_icon_new("image-missing")
            gtk_image_set_from_gicon(image, icon)
            g_object_unref(UnsafeMutableRawPointer(icon))
        case GTK_IMAGE_PAINTABLE:
            let handle = PaintableHandle(StillContent(try Colour.blue.image()))
            gtk_image_set_from_paintable(image, handle.pointer)
        default: break
        }
        return widget
    }

    @MainActor
    private func sizes(of widget: UnsafeMutablePointer<GtkWidget>) -> [Int32] {
        let (across, down) = (widget.extent(GTK_ORIENTATION_HORIZONTAL), widget.extent(GTK_ORIENTATION_VERTICAL))
        return [across.minimum, across.natural, down.minimum, down.natural]
    }
}
