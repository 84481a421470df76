import CGtk4
import FoundationEssentials
import WebImage
import XCTest

@testable import WebImageGTK

/// Pictures in the rows of lists.
final class ListRowViewTests: ViewTestCase, @unchecked Sendable {
    /// VIEW-16
    func testARowWithoutAChildGetsAPicture() throws {
        try onMainThread {
            try requireDisplay()
            for make in [{ gtk_list_box_row_new() }, { gtk_flow_box_child_new() }]
                as [() -> UnsafeMutablePointer<GtkWidget>]
            {
                let row: UnsafeMutablePointer<GtkWidget> = kept(make())
                defer { g_object_unref(row) }
                let view = ListRowView(row)
                load(.red, in: view, TestStage())
                XCTAssertEqual(gtk_widget_get_parent(view.widget), row)
                XCTAssertEqual(ListRowView(OpaquePointer(row)).widget, view.widget)
            }
        }
    }

    /// VIEW-16: the app's own picture is used, at any depth in the row.
    func testTheRowsOwnPictureIsFound() throws {
        try onMainThread {
            try requireDisplay()
            let row: UnsafeMutablePointer<GtkWidget> = kept(gtk_list_box_row_new())
            defer { g_object_unref(row) }
            let (box, inner) = (row.newBox(), row.newBox())
            let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
            gtk_box_append(box.of(GtkBox.self), gtk_label_new("Ada"))
            gtk_box_append(box.of(GtkBox.self), inner)
            gtk_box_append(inner.of(GtkBox.self), picture)
            gtk_list_box_row_set_child(row.of(GtkListBoxRow.self), box)
            load(.red, in: ListRowView(row), TestStage())
            XCTAssertEqual(PictureView(picture).image?.colour, .red)
            XCTAssertEqual(row.pictureCount, 1)
        }
    }

    func testABoxGetsAPictureAtItsBeginning() throws {
        try onMainThread {
            try requireDisplay()
            let row: UnsafeMutablePointer<GtkWidget> = kept(gtk_list_box_row_new())
            defer { g_object_unref(row) }
            let box = row.newBox()
            gtk_box_append(box.of(GtkBox.self), gtk_label_new("Ada"))
            gtk_list_box_row_set_child(row.of(GtkListBoxRow.self), box)
            load(.red, in: ListRowView(row), TestStage())
            XCTAssertEqual(gtk_widget_get_first_child(box), ListRowView(row).widget)
            XCTAssertEqual(row.pictureCount, 1)
        }
    }

    /// The app's content stays, and there is no place for a picture.
    func testARowThatIsFullIsLeftAlone() throws {
        try onMainThread {
            try requireDisplay()
            let row: UnsafeMutablePointer<GtkWidget> = kept(gtk_list_box_row_new())
            defer { g_object_unref(row) }
            gtk_list_box_row_set_child(row.of(GtkListBoxRow.self), gtk_label_new("Ada"))
            let view = ListRowView(row)
            view.image = try Colour.red.image()
            XCTAssertNil(view.image)
            XCTAssertEqual(row.pictureCount, 0)
        }
    }

    /// VIEW-16, S3-22: a list view's items, created, bound, bound again and torn down.
    func testAListItemIsBoundAgainAndAgain() throws {
        try onMainThread {
            try requireDisplay()
            let test = TestStage()
            let list = ItemList(.list, count: 30, itemSize: 20) { item, index in
                ListRowView(listItem: item)?.setImage(with: test.url("\(index % 7)"), context: test.context)
            }
            gtk_widget_set_size_request(list.widget, 100, 150)
            let stage = try shown(list.widget)
            iterate(until: { !test.pending.isEmpty }, "the first loads")
            for index in 0..<7 { test.finish(test.url("\(index)"), Colour(red: UInt8(index), green: 0, blue: 0)) }
            drawFrames(4, of: stage.window)
            let mapped = list.bound.filter { gtk_widget_get_mapped($0.key) != 0 }
            XCTAssertFalse(mapped.isEmpty)
            iterate(
                until: {
                    mapped.allSatisfy { PictureView($0.key).image?.colour.red == UInt8($0.value % 7) }
                }, "each row's own picture")
            stage.close()
            XCTAssertFalse(test.manager.isRunning)
        }
    }
}

/// A widget without a parent, with a reference that the caller owns.
@MainActor
private func kept(_ widget: UnsafeMutablePointer<GtkWidget>) -> UnsafeMutablePointer<GtkWidget> {
    g_object_ref_sink(widget)
    return widget
}

extension UnsafeMutablePointer<GtkWidget> {
    @MainActor
    fileprivate func newBox() -> UnsafeMutablePointer<GtkWidget> { gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0) }

    /// The number of pictures within.
    @MainActor
    fileprivate var pictureCount: Int {
        (isA(gtk_picture_get_type()) ? 1 : 0) + children.map(\.pictureCount).reduce(0, +)
    }
}
