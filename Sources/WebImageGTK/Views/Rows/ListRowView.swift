import CGtk4
import WebImage

/// Loads pictures into the rows of the app's list: a `GtkListBoxRow`, a `GtkFlowBoxChild`, or the `GtkListItem` that a
/// list view's factory gets.
///
/// The first `GtkPicture` within the row shows the picture. A row without a child gets one as its child; a row whose
/// child is a `GtkBox` gets one at the beginning of that. Any other row needs one of the app's own, or `setImage`
/// closures.
///
/// ```swift
/// // In the factory's "bind":
/// ListRowView(listItem: item)?.setImage(with: url(at: gtk_list_item_get_position(item)))
/// ```
/// The highlighted picture shows while the row is selected. The picture's widget owns the loads. Lists reuse their
/// rows, and each new load cancels the one before it. A stateless value for use on the main thread while the row lives.
@MainActor
public struct ListRowView: HighlightableView {
    /// The `GtkPicture` within the row; the row itself where there is none.
    public let widget: UnsafeMutablePointer<GtkWidget>
    private let hasPicture: Bool

    /// The view of `row`, which must be a `GtkListBoxRow` or a `GtkFlowBoxChild`.
    public init(_ row: UnsafeMutablePointer<GtkWidget>) {
        let picture = ListRow(row).picture
        widget = picture ?? row
        hasPicture = picture != nil
    }

    /// The view of a row, for language bindings that have opaque pointers.
    public init(_ row: OpaquePointer) {
        self.init(UnsafeMutableRawPointer(row).assumingMemoryBound(to: GtkWidget.self))
    }

    /// The view of a `GtkListItem *`; nil when its child has no room for a picture.
    public init?(listItem: OpaquePointer) {
        guard let picture = ListRow(listItem: listItem).picture else { return nil }
        ListItemPlace.note(listItem, of: picture)
        widget = picture
        hasPicture = true
    }

    /// The exact size of the row's picture, in points, whatever the file's size and the row's height are; nil, the
    /// default, for the size that the picture and the row give it. See ``PictureView/fixedSize``. A row without a
    /// `GtkPicture` has none.
    ///
    /// ```swift
    /// // In the factory's "setup" or "bind":
    /// ListRowView(listItem: item)?.fixedSize = PointSize(width: 48, height: 48)
    /// ```
    public var fixedSize: PointSize? {
        get { hasPicture ? FixedSize.find(widget)?.size : nil }
        nonmutating set { if hasPicture { FixedSize.set(newValue, of: widget) } }
    }

    /// The way the picture fits into its place in the row, by default ``ContentFit/contain``.
    public var contentFit: ContentFit {
        get { widget.pictureFit }
        nonmutating set { widget.pictureFit = newValue }
    }

    /// The picture of the row.
    public var slot: PictureSlot { hasPicture ? PictureView(widget).slot : PictureSlot() }
}

/// The single child of a row.
private struct ListRow {
    private let child: UnsafeMutablePointer<GtkWidget>?
    private let setChild: (UnsafeMutablePointer<GtkWidget>) -> Void

    init(_ row: UnsafeMutablePointer<GtkWidget>) {
        let object = UnsafeMutableRawPointer(row)
        if row.isA(gtk_flow_box_child_get_type()) {
            let row = object.assumingMemoryBound(to: GtkFlowBoxChild.self)
            child = gtk_flow_box_child_get_child(row)
            setChild = { gtk_flow_box_child_set_child(row, $0) }
        } else {
            let row = object.assumingMemoryBound(to: GtkListBoxRow.self)
            child = gtk_list_box_row_get_child(row)
            setChild = { gtk_list_box_row_set_child(row, $0) }
        }
    }

    init(listItem: OpaquePointer) {
        child = gtk_list_item_get_child(listItem)
        setChild = { gtk_list_item_set_child(listItem, $0) }
    }

    /// The existing picture, or a new one where the row has room for it.
    var picture: UnsafeMutablePointer<GtkWidget>? {
        guard let child else { return makePicture(setChild) }
        if let found = child.firstPicture(orImage: false) { return found }
        guard child.isA(gtk_box_get_type()) else { return nil }
        return makePicture {
            gtk_box_prepend(UnsafeMutableRawPointer(child).assumingMemoryBound(to: GtkBox.self), $0)
        }
    }

    private func makePicture(
        _ add: (UnsafeMutablePointer<GtkWidget>) -> Void
    ) -> UnsafeMutablePointer<GtkWidget>? {
        guard let picture = gtk_picture_new() else { return nil }
        add(picture)
        return picture
    }
}
