import CGtk4
import CGtkAccessibility
import FoundationEssentials
import WebImage
import XCTest

@testable import WebImageGTK

/// What assistive technologies are told of a widget that loads.
final class AccessibilityTests: GTKTestCase, @unchecked Sendable {
    func testAWidgetIsCalledAsTheFileOfItsPicture() throws {
        try onMainThread {
            let (stage, test) = try staged()
            defer { stage.close() }
            stage.view.setImage(
                with: URL(string: "http://pictures.invalid/a/red%20fox.jpg?size=2"), context: test.context)
            assertLabel("red fox.jpg", of: stage)
            stage.view.setImage(with: test.url("b.png"), context: test.context)
            assertLabel("b.png", of: stage)
            for nameless in [nil, URL(string: "data:image/png;base64,AAAA"), URL(string: "http://pictures.invalid/")] {
                stage.view.setImage(with: nameless, context: test.context)
                XCTAssertEqual(hasLabel(stage), false)
            }
        }
    }

    func testTheAppsNameGoesBeforeTheFiles() throws {
        try onMainThread {
            let (stage, test) = try staged()
            defer { stage.close() }
            stage.view.imageAccessibleLabel = "a fox"
            stage.view.setImage(with: test.url("b.png"), context: test.context)
            assertLabel("a fox", of: stage)
            XCTAssertEqual(stage.view.imageAccessibleLabel, "a fox")
            stage.view.imageAccessibleLabel = ""
            assertLabel("", of: stage)
            stage.view.imageAccessibleLabel = nil
            assertLabel("b.png", of: stage)
        }
    }

    func testAWidgetThatTheAppHasNamedOrDescribedKeepsThat() throws {
        try onMainThread {
            let (stage, test) = try staged(pictures: 2)
            defer { stage.close() }
            stage.widgets[0].setAccessibleLabel("mine")
            gtk_picture_set_alternative_text(OpaquePointer(stage.widgets[1]), "a fox")
            for widget in stage.widgets { PictureView(widget).setImage(with: test.url("b.png"), context: test.context) }
            assertLabel("mine", of: stage)
            XCTAssertEqual(hasLabel(stage, 1), false)
        }
    }

    /// Most apps name their widgets after they have begun to load.
    func testAWidgetThatTheAppNamesOrDescribesLaterKeepsThat() throws {
        try onMainThread {
            let (stage, test) = try staged(pictures: 2)
            defer { stage.close() }
            let views = stage.widgets.map { PictureView($0) }
            for view in views { view.setImage(with: test.url("a.png"), context: test.context) }
            assertLabel("a.png", of: stage)
            stage.widgets[0].setAccessibleLabel("mine")
            gtk_picture_set_alternative_text(OpaquePointer(stage.widgets[1]), "a fox")
            for view in views { view.setImage(with: test.url("b.png"), context: test.context) }
            assertLabel("mine", of: stage)
            XCTAssertEqual(hasLabel(stage, 1), false)
            stage.view.setImage(with: nil, context: test.context)
            assertLabel("mine", of: stage)
        }
    }

    /// A label beside a picture says more than the name of a file.
    func testAWidgetThatAnotherOneLabelsIsNotCalledAsAFile() throws {
        try onMainThread {
            let (stage, test) = try staged()
            defer { stage.close() }
            stage.view.setImage(with: test.url("a.png"), context: test.context)
            assertLabel("a.png", of: stage)
            let label: UnsafeMutablePointer<GtkWidget> = gtk_label_new("Ada")
            stage.add(label)
            webimage_label_by(stage.widgets[0], label)
            stage.view.setImage(with: test.url("b.png"), context: test.context)
            XCTAssertEqual(hasLabel(stage), false)
        }
    }

    func testAWidgetIsBusyWhileItLoads() throws {
        try onMainThread {
            let (stage, test) = try staged()
            defer { stage.close() }
            stage.view.setImage(with: test.url("a"), context: test.context)
            XCTAssertNil(webimage_check_state(stage.widgets[0], GTK_ACCESSIBLE_STATE_BUSY, 1))
            test.finish(test.url("a"), .blue)
            iterate(until: { stage.view.image != nil }, "the picture")
            XCTAssertNil(webimage_check_state(stage.widgets[0], GTK_ACCESSIBLE_STATE_BUSY, 0))
        }
    }

    /// Somebody keeps the dead widget.
    func testADestroyedWidgetIsCalledNothing() throws {
        try onMainThread {
            let (stage, test) = try staged()
            let widget = stage.widgets[0]
            g_object_ref(UnsafeMutableRawPointer(widget))
            defer { g_object_unref(UnsafeMutableRawPointer(widget)) }
            stage.view.setImage(with: test.url("a"), context: test.context)
            stage.remove(widget)
            g_object_run_dispose(UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GObject.self))
            stage.close()
            PictureView(widget).imageAccessibleLabel = "late"
            PictureView(widget).setImage(with: test.url("b"), context: test.context)
        }
    }

    @MainActor
    private func staged(pictures: Int = 1) throws -> (Stage, TestStage) {
        try requireDisplay()
        return (Stage(pictures: pictures), TestStage())
    }

    @MainActor
    private func assertLabel(_ label: String, of stage: Stage, file: StaticString = #filePath, line: UInt = #line) {
        guard let other = webimage_check_label(stage.widgets[0], label) else { return }
        XCTFail("the label is \(String(cString: other))", file: file, line: line)
        g_free(other)
    }

    @MainActor
    private func hasLabel(_ stage: Stage, _ index: Int = 0) -> Bool {
        gtk_test_accessible_has_property(OpaquePointer(stage.widgets[index]), GTK_ACCESSIBLE_PROPERTY_LABEL) != 0
    }
}
