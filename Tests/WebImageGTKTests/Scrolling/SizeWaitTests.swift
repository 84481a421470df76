import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Loads that wait for their decode size.
final class SizeWaitTests: GTKTestCase, @unchecked Sendable {
    func testALoadWaitsForTheSizeThatItsCellWillHave() throws {
        try onList(pictures: 2, size: nil) { stage in
            for picture in stage.pictures { gtk_widget_set_size_request(picture, -1, 40) }
            XCTAssertNotNil(stage.bind(0, to: "a"))
            XCTAssertEqual(stage.asked, [])
            stage.show()
            iterate(until: { stage.asked == ["a"] }, "the load")
            XCTAssertEqual(stage.boxes, [stage.view(0).imagePixelSize])
            XCTAssertGreaterThan(stage.boxes[0]?.width ?? 0, 100, "as wide as the window")
        }
    }

    func testARowThatIsAsHighAsAColourLeavesTheHeightToItsPicture() throws {
        try onList(pictures: 1, size: nil) { stage in
            stage.bind(0, to: "a", placeholder: .color(RGBAColor(red: 1, green: 2, blue: 3))) { _ in }
            stage.show()
            iterate(until: { stage.asked == ["a"] }, "the load")
            XCTAssertGreaterThan(stage.boxes[0]?.width ?? 0, 100, "as wide as the window")
            XCTAssertGreaterThan(stage.boxes[0]?.height ?? 0, 1000, "as high as it likes")
        }
    }

    func testAViewThatGetsNoSizeShowsThePictureAsItIs() throws {
        try onStage { stage, test in
            gtk_widget_set_size_request(stage.widgets[0], -1, -1)
            gtk_widget_set_valign(stage.widgets[0], GTK_ALIGN_START)
            stage.view.imageSizing = .view
            stage.view.setImage(with: test.url("a"), context: test.context)
            XCTAssertEqual(test.loader.loads.count, 0)
            stage.show()
            iterate(until: { test.loader.loads.count == 1 }, "the load")
            XCTAssertNil(test.loader.loads[0].request.context.thumbnailPixelSize)
        }
    }

    func testACellThatIsNotLaidOutTakesTheSizeOfItsNeighbours() throws {
        try onList(pictures: 2, size: nil) { stage in
            for picture in stage.pictures { gtk_widget_set_size_request(picture, -1, 40) }
            gtk_widget_set_visible(gtk_widget_get_parent(stage.pictures[1]), 0)
            stage.bind(1, to: "unseen")
            stage.bind(0, to: "seen")
            stage.show()
            iterate(until: { stage.asked.count == 2 }, "both loads")
            XCTAssertEqual(stage.asked, ["seen", "unseen"])
            XCTAssertEqual(stage.boxes[0], stage.boxes[1])
        }
    }

    /// For instance a cover and a portrait.
    func testACellTakesTheSizeOfNeighboursOfItsKindOnly() throws {
        try onList(pictures: 4, size: nil) { stage in
            for (index, picture) in stage.pictures.enumerated() {
                gtk_widget_set_size_request(picture, -1, index < 2 ? 40 : 120)
            }
            for index in [1, 3] { gtk_widget_set_visible(gtk_widget_get_parent(stage.pictures[index]), 0) }
            for (index, name) in [(1, "low"), (3, "high"), (0, "seen low"), (2, "seen high")] {
                stage.bind(index, to: name)
            }
            stage.show()
            iterate(until: { stage.asked.count == 4 }, "all loads")
            let boxes = Dictionary(uniqueKeysWithValues: zip(stage.asked, stage.boxes))
            XCTAssertEqual(boxes["low"], boxes["seen low"])
            XCTAssertEqual(boxes["high"], boxes["seen high"])
            XCTAssertNotEqual(boxes["low"], boxes["high"])
        }
    }

    /// A minimised or covered window keeps its widgets mapped, and may get no frames.
    func testALoadDoesNotWaitForFramesThatDoNotCome() throws {
        try onList(pictures: 1, size: nil) { stage in
            let elsewhere: UnsafeMutablePointer<GtkWidget> = gtk_label_new(nil)
            g_object_ref_sink(elsewhere)
            defer { g_object_unref(elsewhere) }
            Coordinator.of(stage.pictures[0]).surface.admission.sizeWait.frames = elsewhere
            stage.show()
            iterate(until: { stage.isOnScreen || gtk_widget_get_mapped(stage.pictures[0]) != 0 }, "the window")
            stage.bind(0, to: "a")
            XCTAssertEqual(stage.asked, [])
            iterate(until: { stage.asked == ["a"] }, "the load")
            XCTAssertNotNil(stage.boxes.last ?? nil, "an invisible picture is decoded as a whole")
        }
    }

    /// In a scroller it waits: see ``BoxLoadTests``.
    func testALoadOfAViewThatIsNeverVisibleEndsNevertheless() throws {
        try onStage { stage, test in
            gtk_widget_set_size_request(stage.widgets[0], -1, -1)
            stage.view.imageSizing = .view
            let endings = Recorder<Bool>()
            stage.view.setImage(with: test.url("a"), context: test.context) { endings.append($0.isCancelled) }
            iterate(until: { test.loader.loads.count == 1 }, "the load")
            XCTAssertNotNil(
                test.loader.loads[0].request.context.thumbnailPixelSize, "an invisible picture is decoded as a whole")
            test.finish(test.url("a"), .red)
            iterate(until: { endings.values == [false] }, "its end")
        }
    }
}
