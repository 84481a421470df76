import CGtk4
import WebImage

@testable import WebImageGTK

/// One kind of widget with pictures, for tests of features common to all.
struct ViewKind {
    let name: String
    /// A new widget of the kind.
    let makeWidget: @MainActor () -> UnsafeMutablePointer<GtkWidget>
    /// One of its views.
    let makeView: @MainActor (UnsafeMutablePointer<GtkWidget>) -> any WidgetView

    static let all = [
        ViewKind(name: "picture") {
            gtk_picture_new()
        } makeView: {
            PictureView($0)
        },
        ViewKind(name: "highlighted picture") {
            gtk_picture_new()
        } makeView: {
            PictureView($0).highlightedView
        },
        ViewKind(name: "image") {
            gtk_image_new_from_icon_name("folder")
        } makeView: {
            ImageView($0)
        },
        ViewKind(name: "button") {
            gtk_button_new()
        } makeView: {
            ButtonView($0)
        },
        ViewKind(name: "button with a label") {
            gtk_button_new_with_label("Ada")
        } makeView: {
            ButtonView($0)
        },
        ViewKind(name: "background") {
            gtk_button_new_with_label("Ada")
        } makeView: {
            ButtonView($0).backgroundView(for: .normal)
        },
        ViewKind(name: "state") {
            gtk_toggle_button_new()
        } makeView: {
            ButtonView($0).imageView(for: .checked)
        },
        ViewKind(name: "menu button") {
            menuButton()
        } makeView: {
            ButtonView($0)
        },
        ViewKind(name: "entry") {
            gtk_entry_new()
        } makeView: {
            EntryIconView($0, at: .secondary)
        },
        ViewKind(name: "row") {
            let list: UnsafeMutablePointer<GtkWidget> = gtk_list_box_new()
            gtk_list_box_append(OpaquePointer(list), gtk_list_box_row_new())
            return list
        } makeView: {
            let view = ListRowView($0.children[0])
            // Loads begin at once, as in the others, and not when the row is laid out.
            view.imageSizing = .file
            return view
        },
    ]

    /// With a menu: without one it is disabled, and GTK's newer theme then shows a picture half transparent.
    @MainActor
    private static func menuButton() -> UnsafeMutablePointer<GtkWidget> {
        let button: UnsafeMutablePointer<GtkWidget> = gtk_menu_button_new()
        gtk_menu_button_set_popover(OpaquePointer(button), gtk_popover_new())
        return button
    }
}
