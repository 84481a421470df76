import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Pictures as icons of an entry.
final class EntryIconViewTests: ViewTestCase, @unchecked Sendable {
    /// VIEW-5, VIEW-16
    func testBothIconsHaveLoadsOfTheirOwn() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_entry_new())
            defer { stage.close() }
            let test = TestStage()
            let primary = EntryIconView(stage.widget, at: .primary)
            let secondary = EntryIconView(stage.widget, at: .secondary)
            primary.setImage(with: test.url("waiting"), context: test.context)
            load(.blue, in: secondary, test)
            XCTAssertEqual(test.loader.loads(of: test.url("waiting")).map(\.isCancelled), [false])
            XCTAssertNil(primary.image)
            load(.red, in: primary, test)
            drawFrames(4, of: stage.window)
            XCTAssertEqual(colour(of: .primary, stage), [.red])
            XCTAssertEqual(colour(of: .secondary, stage), [.blue])
        }
    }

    /// VIEW-3
    func testTheIconComesBack() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_entry_new())
            defer { stage.close() }
            let entry = stage.widget.of(GtkEntry.self)
            gtk_entry_set_icon_from_icon_name(entry, GTK_ENTRY_ICON_PRIMARY, "edit-find-symbolic")
            let view = EntryIconView(OpaquePointer(stage.widget), at: .primary)
            view.image = try Colour.red.image()
            XCTAssertNil(gtk_entry_get_icon_name(entry, GTK_ENTRY_ICON_PRIMARY))
            view.image = nil
            let name = gtk_entry_get_icon_name(entry, GTK_ENTRY_ICON_PRIMARY).map { String(cString: $0) }
            XCTAssertEqual(name, "edit-find-symbolic")
            let icon = g_themed_icon_new("folder")
            gtk_entry_set_icon_from_gicon(entry, GTK_ENTRY_ICON_PRIMARY, icon)
            g_object_unref(UnsafeMutableRawPointer(icon))
            view.image = try Colour.red.image()
            view.image = nil
            XCTAssertEqual(gtk_entry_get_icon_storage_type(entry, GTK_ENTRY_ICON_PRIMARY), GTK_IMAGE_GICON)
        }
    }

    func testAnEntryWithoutAnIconHasNoneAgain() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_entry_new())
            defer { stage.close() }
            let view = EntryIconView(stage.widget, at: .secondary)
            view.image = try Colour.red.image()
            view.image = nil
            let type = gtk_entry_get_icon_storage_type(stage.widget.of(GtkEntry.self), GTK_ENTRY_ICON_SECONDARY)
            XCTAssertEqual(type, GTK_IMAGE_EMPTY)
        }
    }

    /// An entry has no room for an indicator: the load continues without one.
    func testAnIndicatorIsRefused() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_entry_new())
            defer { stage.close() }
            gtk_entry_set_icon_from_icon_name(
                stage.widget.of(GtkEntry.self), GTK_ENTRY_ICON_PRIMARY, "edit-find-symbolic")
            let view = EntryIconView(stage.widget, at: .primary)
            let indicator = try TestIndicator()
            view.imageIndicator = indicator
            load(.blue, in: view, TestStage())
            drawFrames(4, of: stage.window)
            XCTAssertEqual(colour(of: .primary, stage), [.blue])
            XCTAssertNil(gtk_widget_get_parent(indicator.indicatorView))
        }
    }

    /// The colour in the centre of an icon, by all renderers.
    @MainActor
    private func colour(of position: EntryIconView.Position, _ stage: WidgetStage) -> Set<Colour> {
        let place = position == .primary ? GTK_ENTRY_ICON_PRIMARY : GTK_ENTRY_ICON_SECONDARY
        var area = GdkRectangle()
        gtk_entry_get_icon_area(stage.widget.of(GtkEntry.self), place, &area)
        return stage.colours(
            Double(area.x) + Double(area.width) / 2, Double(area.y) + Double(area.height) / 2, of: stage.widget)
    }
}
