import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Widgets that have no view of their own.
final class AnyWidgetViewTests: ViewTestCase, @unchecked Sendable {
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
