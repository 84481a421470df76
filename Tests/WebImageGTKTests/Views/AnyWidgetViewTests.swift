import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Widgets that have no view of their own.
final class AnyWidgetViewTests: ViewTestCase, @unchecked Sendable {
    /// VIEW-2, VIEW-5, VIEW-16: the closure gets the placeholder, with no data and from no cache, and then the picture;
    /// both have been shown when the completion is told.
    func testTheAppsOwnClosureShowsThePictures() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_drawing_area_new())
            defer { stage.close() }
            let test = TestStage()
            var shown: [Colour?] = []
            var atCompletion = 0
            AnyWidgetView(stage.widget).setImage(
                with: test.url("a"), placeholder: try Colour.green.image(), context: test.context,
                setImage: { image, data, cacheType, url in
                    shown.append(image?.colour)
                    XCTAssertEqual(data == nil, shown.count == 1)
                    XCTAssertEqual(cacheType, ImageCacheType.none)
                    XCTAssertEqual(url, test.url("a"))
                },
                completed: { _ in atCompletion = shown.count })
            XCTAssertEqual(shown, [.green])
            test.finish(test.url("a"), .red)
            iterate(until: { atCompletion > 0 }, "the completion")
            XCTAssertEqual(shown, [.green, .red])
            XCTAssertEqual(atCompletion, 2)
        }
    }

    /// VIEW-16: the loads belong to the widget, and those of one name to one place of it.
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
}
