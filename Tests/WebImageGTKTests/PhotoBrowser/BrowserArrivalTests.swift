import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The arrival of a photo whose thumbnail has an address of its own, frame by frame, as it is drawn.
final class BrowserArrivalTests: GTKTestCase, @unchecked Sendable {
    /// How far the picture reaches on the middle row and the middle column of the browser.
    private struct Extent: Equatable, CustomStringConvertible {
        var left = Int.max
        var right = Int.min
        var top = Int.max
        var bottom = Int.min

        @MainActor
        init(_ drawing: Rendering) {
            for x in 0..<drawing.width where Self.isSeen(drawing.colour(x: x, y: drawing.height / 2)) {
                (left, right) = (min(left, x), max(right, x))
            }
            for y in 0..<drawing.height where Self.isSeen(drawing.colour(x: drawing.width / 2, y: y)) {
                (top, bottom) = (min(top, y), max(bottom, y))
            }
        }

        /// Whether a pixel is not of the ground.
        private static func isSeen(_ colour: Colour) -> Bool { max(colour.red, colour.green, colour.blue) > 4 }

        func distance(to other: Extent) -> Int {
            [left - other.left, right - other.right, top - other.top, bottom - other.bottom].map { abs($0) }.max() ?? 0
        }

        var description: String { "(\(left), \(top))–(\(right), \(bottom))" }
    }

    private enum View: CaseIterable {
        case pictureOfFixedSize, pictureOfItsSize, webImageView

        @MainActor
        func make() -> any WidgetView {
            switch self {
            case .pictureOfFixedSize, .pictureOfItsSize:
                let view = PictureView(gtk_picture_new())
                if self == .pictureOfFixedSize {
                    view.fixedSize = PointSize(width: 100, height: 75)
                } else {
                    view.imageSizing = .view
                    gtk_widget_set_size_request(view.widget, 100, 75)
                }
                return view
            case .webImageView:
                let view = WebImageView()
                view.fixedSize = PointSize(width: 100, height: 75)
                return view
            }
        }
    }

    private static let thumbnail = URL(webAddress: "http://thumbnails.invalid/0.jpg") ?? URL(filePath: "/")

    /// Runs `body` with a browser that has flown from a thumbnail to its page, which waits for the photo.
    private func onPage(
        of size: PixelSize, in kind: View, test body: @MainActor (BrowserStage) throws -> Void
    ) throws {
        try onMainThread {
            try requireDisplay()
            let stage = BrowserStage(3)
            defer { stage.close() }
            let view = kind.make()
            gtk_widget_set_valign(view.widget, GTK_ALIGN_START)
            gtk_widget_set_halign(view.widget, GTK_ALIGN_START)
            let row: UnsafeMutablePointer<GtkWidget> = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
            gtk_box_append(row.of(GtkBox.self), view.widget)
            stage.show(row)
            iterate(until: { gtk_widget_get_width(view.widget) > 0 }, "the view is laid out")
            var context = WebImageContext()
            context.manager = stage.manager
            view.setImage(with: Self.thumbnail, context: context)
            let loader = stage.loader
            iterate(until: { !loader.loads(of: Self.thumbnail).isEmpty }, "the thumbnail is loaded")
            for load in loader.loads(of: Self.thumbnail) {
                load.finish(SizedColourCoder.file(.blue, width: size.width, height: size.height))
            }
            iterate(until: { view.image != nil }, "the thumbnail is there")
            stage.browser.present(from: view)
            iterate(until: { gtk_widget_get_width(stage.browser.pages.stage) > 0 }, "the browser is laid out")
            stage.animator.finishAll()
            try body(stage)
        }
    }

    /// How far the picture reaches in each frame, from the last one before the arrival of the photo to the end.
    @MainActor
    private func arrival(of size: PixelSize, in stage: BrowserStage) throws -> [Extent] {
        var extents = [Extent(try XCTUnwrap(stage.drawing))]
        load(0, in: stage, width: size.width, height: size.height)
        extents.append(Extent(try XCTUnwrap(stage.drawing)))
        for _ in 0..<2 where !stage.animator.running.isEmpty {
            for frame in 0...12 {
                stage.animator.advance(to: Double(frame) / 12)
                extents.append(Extent(try XCTUnwrap(stage.drawing)))
            }
            stage.animator.finish()
            extents.append(Extent(try XCTUnwrap(stage.drawing)))
        }
        XCTAssertTrue(stage.animator.running.isEmpty && stage.page?.helper == nil)
        return extents
    }

    /// S2-1 S2-4 A photo of the thumbnail's shape takes its place without a move, wherever the thumbnail was shown.
    func testAPhotoOfTheSameShapeMovesNothing() throws {
        for (thumbnail, photo) in [
            (PixelSize(width: 400, height: 225), PixelSize(width: 1600, height: 900)),
            (PixelSize(width: 240, height: 320), PixelSize(width: 3000, height: 4000)),
        ] {
            for kind in View.allCases {
                try onPage(of: thumbnail, in: kind) { stage in
                    let extents = try arrival(of: photo, in: stage)
                    XCTAssertLessThanOrEqual(
                        extents.map { $0.distance(to: extents[0]) }.max() ?? 0, 1, "\(kind): \(extents)")
                    XCTAssertEqual(extents.count, 2, "there is no animation")
                }
            }
        }
    }

    /// S2-5 S2-6 S2-19 A cropped square, and a thumbnail that was not turned as its photo is, stay until the photo fades in.
    func testAPhotoOfAnotherShapeFadesIn() throws {
        for (thumbnail, photo) in [
            (PixelSize(width: 300, height: 300), PixelSize(width: 1600, height: 900)),
            (PixelSize(width: 300, height: 300), PixelSize(width: 400, height: 4000)),
            (PixelSize(width: 400, height: 225), PixelSize(width: 900, height: 1600)),
        ] {
            try onPage(of: thumbnail, in: .webImageView) { stage in
                let extents = try arrival(of: photo, in: stage)
                XCTAssertLessThanOrEqual(extents[0].distance(to: extents[1]), 1, "at the arrival: \(extents)")
                XCTAssertLessThanOrEqual(extents[1].distance(to: extents[2]), 1, "in the first frame: \(extents)")
                let frame = try XCTUnwrap(stage.page?.zoom.frame)
                let last = try XCTUnwrap(extents.last)
                XCTAssertEqual(Double(last.left), max(0, frame.x), accuracy: 1.5)
                XCTAssertEqual(Double(last.top), max(0, frame.y), accuracy: 1.5)
                XCTAssertEqual(extents.count, 16)
            }
        }
    }

    /// S2-19 What of a thumbnail is seen beside its photo fades away while that appears, and is gone in no single frame.
    func testWhatIsBesideThePhotoFadesAway() throws {
        try onPage(of: PixelSize(width: 300, height: 300), in: .webImageView) { stage in
            load(0, in: stage, width: 1600, height: 900)
            let above = try (0...12).map { frame in
                stage.animator.advance(to: Double(frame) / 12)
                return Int(try XCTUnwrap(stage.drawing).colour(x: 400, y: 30).blue)
            }
            XCTAssertEqual(above.first, 255)
            XCTAssertEqual(above.last, 0)
            XCTAssertEqual(above, above.sorted(by: >))
            let inside = try (0...12).map { frame in
                stage.animator.advance(to: Double(frame) / 12)
                let colour = try XCTUnwrap(stage.drawing).colour(x: 400, y: 300)
                return Int(colour.red) + Int(colour.blue)
            }
            XCTAssertGreaterThan(inside.min() ?? 0, 225, "what both cover does not darken: \(inside)")
        }
    }

    /// S2-7 S2-11 A horizontal long photo squeezes its thumbnail to its own height: no edge leaps, and the width stays until
    /// the photo appears.
    func testALongPhotoSqueezesItsThumbnail() throws {
        try onPage(of: PixelSize(width: 300, height: 300), in: .webImageView) { stage in
            let extents = try arrival(of: PixelSize(width: 4000, height: 400), in: stage)
            let squeezed = extents.dropFirst().prefix(14)
            XCTAssertLessThanOrEqual(extents[0].distance(to: extents[1]), 1, "at the arrival: \(extents)")
            XCTAssertTrue(squeezed.allSatisfy { abs($0.left - extents[0].left) <= 1 }, "\(squeezed)")
            for (one, next) in zip(squeezed, squeezed.dropFirst()) {
                XCTAssertGreaterThanOrEqual(next.top, one.top, "\(squeezed)")
                XCTAssertLessThan(next.top - one.top, 40, "\(squeezed)")
            }
            let frame = try XCTUnwrap(stage.page?.zoom.frame)
            XCTAssertEqual(Double(squeezed.last?.top ?? 0), frame.y, accuracy: 1.5)
            XCTAssertEqual(Double(extents.last?.left ?? 9), frame.x, accuracy: 1.5)
        }
    }
}
