import CGtk4
import Foundation
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Views in the second run of a program, whose pictures are on the disk.
final class SecondRunTests: GTKTestCase, @unchecked Sendable {
    private static let size = PixelSize(width: 400, height: 300)

    func testAThumbnailFromTheDiskIsLaidOutAsTheOneThatWasJustMade() throws {
        try onMainThread {
            try requireDisplay()
            let directory = try TemporaryDirectory()
            let first = try run(in: directory) { stage, _, result in
                XCTAssertEqual(result.cacheType, ImageCacheType.noCache)
                return self.layout(of: stage.widgets[0])
            }
            let second = try run(in: directory) { stage, loader, result in
                XCTAssertEqual(result.cacheType, .disk)
                XCTAssertEqual(loader.loads.count, 0)
                XCTAssertLessThan(result.image.pixelSize.width, Self.size.width, "from a file of its own")
                return self.layout(of: stage.widgets[0])
            }
            XCTAssertEqual(first, second)
            XCTAssertEqual(first.prefix(2), [Int32(Self.size.width), Int32(Self.size.height)])
        }
    }

    func testAViewThatGrowsGetsASharperPictureFromTheDisk() throws {
        try onMainThread {
            try requireDisplay()
            let directory = try TemporaryDirectory()
            _ = try run(in: directory) { _, _, _ in [] }
            _ = try run(in: directory) { stage, loader, result in
                let coarse = result.image
                XCTAssertEqual(result.cacheType, .disk)
                gtk_widget_set_size_request(stage.widgets[0], 240, 180)
                self.iterate(
                    until: { (stage.view.image?.pixelSize.width ?? 0) >= 240 }, "a picture as sharp as the view")
                XCTAssertFalse(stage.view.image === coarse)
                XCTAssertEqual(loader.loads.count, 0, "the file is there")
                return []
            }
        }
    }

    /// A view that fills its container is bound before it has a size.
    func testAPictureThatIsThereAsAWholeIsNotLoadedAgain() throws {
        try onMainThread {
            try requireDisplay()
            let directory = try TemporaryDirectory()
            for expected in [ImageCacheType.noCache, .disk] {
                _ = try run(in: directory, side: 500) { stage, loader, result in
                    XCTAssertEqual(result.cacheType, expected)
                    XCTAssertEqual(result.image.pixelSize, Self.size)
                    let count = loader.loads.count
                    gtk_widget_set_size_request(stage.widgets[0], 700, 600)
                    self.iterate(until: { gtk_widget_get_width(stage.widgets[0]) >= 700 }, "the new size")
                    XCTAssertTrue(stage.view.image === result.image)
                    XCTAssertEqual(loader.loads.count, count)
                    return []
                }
            }
        }
    }

    /// One run of a program: a view in a window loads the picture, then `body` is called.
    @MainActor
    private func run(
        in directory: TemporaryDirectory, side: Int32 = 64,
        _ body: @MainActor (Stage, SuspendedLoader, LoadResult) throws -> [Int32]
    ) throws -> [Int32] {
        let loader = SuspendedLoader()
        let manager = WebImageManager(
            cache: ImageCache(directory: directory.path), loader: loader, coder: ImageCodersManager.shared)
        let stage = Stage()
        defer { stage.close() }
        gtk_widget_set_size_request(stage.widgets[0], side, side)
        stage.view.imageSizing = .view
        stage.present(in: self)
        var context = WebImageContext()
        context.manager = manager
        var ending: Result<LoadResult, WebImageError>?
        stage.view.setImage(
            with: URL(string: "http://pictures.invalid/a.png"), options: .waitStoreCache, context: context
        ) { ending = $0 }
        let file = try pngFile()
        iterate(
            until: {
                for load in loader.loads where !load.isEnded { load.finish(file) }
                return ending != nil && !manager.isRunning
            }, "the picture")
        return try body(stage, loader, try XCTUnwrap(ending).get())
    }

    /// The layout values of a widget: the picture's intrinsic size, and the requested size.
    @MainActor
    private func layout(of widget: UnsafeMutablePointer<GtkWidget>) -> [Int32] {
        let paintable = gtk_picture_get_paintable(OpaquePointer(widget))
        gtk_widget_set_size_request(widget, -1, -1)
        let extents = [GTK_ORIENTATION_HORIZONTAL, GTK_ORIENTATION_VERTICAL].map { widget.extent($0) }
        return [gdk_paintable_get_intrinsic_width(paintable), gdk_paintable_get_intrinsic_height(paintable)]
            + extents.flatMap { [$0.minimum, $0.natural] }
    }

    private func pngFile() throws -> Data {
        let picture = Image(bitmap: try SamplePicture.make(1, width: Self.size.width, height: Self.size.height))
        return try ImageCodersManager.shared.encode(picture, to: .png, options: ImageEncodeOptions())
    }
}
