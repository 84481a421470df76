import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Widgets without a view of their own.
final class AnyWidgetViewTests: ViewTestCase, @unchecked Sendable {
    /// VIEW-16: the widget owns the loads, and those of one name belong to one place.
    func testLoadsOfOneNameFollowOneAnother() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_drawing_area_new())
            let test = TestStage()
            var endings: [String] = []
            for (name, key) in [("a", "badge"), ("b", "portrait"), ("c", "badge")] {
                AnyWidgetView(OpaquePointer(stage.widget), operationKey: key).setImage(
                    with: test.url(name), context: test.context, setImage: { _, _, _, _ in },
                    completed: { if $0.isCancelled { endings.append(name) } })
            }
            XCTAssertEqual(endings, ["a"])
            stage.close()
            XCTAssertEqual(Set(endings), ["a", "b", "c"])
        }
    }

    /// VIEW-16: the widget's own view shows its pictures, whether a closure of the app has used the place before or
    /// not.
    func testTheWidgetsOwnViewShowsPicturesBeforeAndAfterIt() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_picture_new())
            defer { stage.close() }
            let test = TestStage()
            let own = PictureView(stage.widget)
            for (number, colour) in [Colour.red, .blue].enumerated() {
                AnyWidgetView(stage.widget).alpha = 1
                let pictures = Recorder<Colour>()
                let url = test.url("\(number)")
                AnyWidgetView(stage.widget).setImage(
                    with: url, context: test.context,
                    setImage: { image, _, _, _ in if let colour = image?.colour { pictures.append(colour) } })
                test.finish(url, .green)
                iterate(until: { pictures.values == [.green] }, "the picture for the app's closure")
                load(colour, in: own, test)
                XCTAssertNotNil(gtk_picture_get_paintable(OpaquePointer(stage.widget)))
                XCTAssertEqual(own.image?.colour, colour)
            }
        }
    }
}
