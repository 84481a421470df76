import CGtk4
import CGtkAccessibility
import FoundationEssentials
import WebImage
import XCTest

@testable import WebImageGTK

/// The accessible properties of a widget that loads.
final class AccessibilityTests: GTKTestCase, @unchecked Sendable {
    func testAWidgetIsCalledAsTheFileOfItsPicture() throws {
        try onStage { stage, test in
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
        try onStage { stage, test in
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
        try onStage(pictures: 2) { stage, test in
            stage.widgets[0].setAccessibleLabel("mine")
            gtk_picture_set_alternative_text(OpaquePointer(stage.widgets[1]), "a fox")
            for widget in stage.widgets { PictureView(widget).setImage(with: test.url("b.png"), context: test.context) }
            assertLabel("mine", of: stage)
            XCTAssertEqual(hasLabel(stage, 1), false)
        }
    }

    /// Most apps label their widgets after they begin to load.
    func testAWidgetThatTheAppNamesOrDescribesLaterKeepsThat() throws {
        try onStage(pictures: 2) { stage, test in
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

    /// A label beside a picture says more than a file name.
    func testAWidgetThatAnotherOneLabelsIsNotCalledAsAFile() throws {
        try onStage { stage, test in
            stage.view.setImage(with: test.url("a.png"), context: test.context)
            assertLabel("a.png", of: stage)
            let label: UnsafeMutablePointer<GtkWidget> = gtk_label_new("Ada")
            stage.add(label)
            webimage_label_by(stage.widgets[0], label)
            stage.view.setImage(with: test.url("b.png"), context: test.context)
            XCTAssertEqual(hasLabel(stage), false)
        }
    }

    /// An icon alone says nothing to users of assistive technologies.
    func testAButtonWithoutTextIsCalledAsTheFileOfItsPicture() throws {
        try onStage { stage, test in
            let menu: UnsafeMutablePointer<GtkWidget> = gtk_menu_button_new()
            let labelled: UnsafeMutablePointer<GtkWidget> = gtk_menu_button_new()
            gtk_menu_button_set_label(OpaquePointer(labelled), "Ada")
            let boxed: UnsafeMutablePointer<GtkWidget> = gtk_button_new()
            let box: UnsafeMutablePointer<GtkWidget> = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
            gtk_box_append(box.of(GtkBox.self), gtk_picture_new())
            gtk_box_append(box.of(GtkBox.self), gtk_label_new("Ada"))
            gtk_button_set_child(boxed.of(GtkButton.self), box)
            let named: [UnsafeMutablePointer<GtkWidget>] = [gtk_button_new(), gtk_toggle_button_new(), menu]
            let others: [UnsafeMutablePointer<GtkWidget>] = [gtk_button_new_with_label("Ada"), labelled, boxed]
            for widget in named + others {
                stage.add(widget)
                ButtonView(widget).setImage(with: test.url("a.png"), context: test.context)
                ButtonView(widget).setImage(with: test.url("b.png"), for: .prelight, context: test.context)
                ButtonView(widget).setBackgroundImage(with: test.url("c.png"), context: test.context)
            }
            for widget in named { assertLabel("a.png", of: widget) }
            // GTK has labelled some of them by their text.
            for widget in others { XCTAssertFalse(hasLabel(widget) && webimage_is_called(widget, "a.png") != 0) }
            ButtonView(named[0]).imageAccessibleLabel = "Ada"
            assertLabel("Ada", of: named[0])
        }
    }

    /// The entry itself has another label.
    func testAnEntrysIconIsCalledAsTheFileOfItsPicture() throws {
        try onStage { stage, test in
            let entry: UnsafeMutablePointer<GtkWidget> = gtk_entry_new()
            stage.add(entry)
            gtk_entry_set_icon_tooltip_text(entry.of(GtkEntry.self), GTK_ENTRY_ICON_SECONDARY, "Clear")
            for direction in [GTK_TEXT_DIR_LTR, GTK_TEXT_DIR_RTL] {
                gtk_widget_set_direction(entry, direction)
                for position in [EntryIconView.Position.primary, .secondary] {
                    let view = EntryIconView(entry, at: position)
                    let url = test.url("\(position)\(direction.rawValue).png")
                    view.setImage(with: url, context: test.context)
                    test.finish(url, .blue)
                    iterate(until: { view.image != nil }, "the icon")
                }
                let icons = [EntryIconView.Position.primary, .secondary].map {
                    EntryIconHolder(widget: entry, position: $0).iconWidget
                }
                XCTAssertNotEqual(icons[0], icons[1])
                assertLabel("primary\(direction.rawValue).png", of: try XCTUnwrap(icons[0]))
                XCTAssertFalse(hasLabel(try XCTUnwrap(icons[1])), "its tooltip says what it is for")
                EntryIconView(entry, at: .primary).image = nil
                EntryIconView(entry, at: .secondary).image = nil
            }
            XCTAssertFalse(hasLabel(entry))
            let icon = try XCTUnwrap(EntryIconHolder(widget: entry, position: .secondary).iconWidget)
            EntryIconView(entry, at: .secondary).imageAccessibleLabel = "Clear all"
            assertLabel("Clear all", of: icon)
        }
    }

    /// A window, a list or a drawing is more than a picture that the app loads for it.
    func testAWidgetThatTheAppFillsIsNotCalledAsAFile() throws {
        try onStage { stage, test in
            AnyWidgetView(stage.window).setImage(
                with: test.url("a.png"), context: test.context, setImage: { _, _, _, _ in })
            XCTAssertFalse(hasLabel(stage.window))
            AnyWidgetView(stage.window).imageAccessibleLabel = "Ada"
            assertLabel("Ada", of: stage.window)
        }
    }

    func testAWidgetIsBusyWhileItLoads() throws {
        try onStage { stage, test in
            stage.view.setImage(with: test.url("a"), context: test.context)
            XCTAssertNil(webimage_check_state(stage.widgets[0], GTK_ACCESSIBLE_STATE_BUSY, 1))
            test.finish(test.url("a"), .blue)
            iterate(until: { stage.view.image != nil }, "the picture")
            XCTAssertNil(webimage_check_state(stage.widgets[0], GTK_ACCESSIBLE_STATE_BUSY, 0))
        }
    }

    /// The test keeps a reference to the destroyed widget.
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
        assertLabel(label, of: stage.widgets[0], file: file, line: line)
    }

    @MainActor
    private func assertLabel(
        _ label: String, of widget: UnsafeMutablePointer<GtkWidget>, file: StaticString = #filePath, line: UInt = #line
    ) {
        guard let other = webimage_check_label(widget, label) else { return }
        XCTFail("the label is \(String(cString: other))", file: file, line: line)
        g_free(other)
    }

    @MainActor
    private func hasLabel(_ stage: Stage, _ index: Int = 0) -> Bool { hasLabel(stage.widgets[index]) }

    @MainActor
    private func hasLabel(_ widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
        gtk_test_accessible_has_property(OpaquePointer(widget), GTK_ACCESSIBLE_PROPERTY_LABEL) != 0
    }
}
