import CGtk4
import WebImage

/// One of the icons of a `GtkEntry`.
struct EntryIconHolder: IconHolder {
    let widget: UnsafeMutablePointer<GtkWidget>
    let position: EntryIconView.Position

    /// Also the operation key of its loads.
    var name: String { position == .primary ? "primaryIcon" : "secondaryIcon" }

    private var entry: UnsafeMutablePointer<GtkEntry> {
        UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GtkEntry.self)
    }

    private var place: GtkEntryIconPosition {
        position == .primary ? GTK_ENTRY_ICON_PRIMARY : GTK_ENTRY_ICON_SECONDARY
    }

    /// The widget that shows the icon; nil until the entry has an icon there.
    var iconWidget: UnsafeMutablePointer<GtkWidget>? {
        let isLeft = (position == .primary) == (gtk_widget_get_direction(widget) != GTK_TEXT_DIR_RTL)
        return widget.children.first {
            $0.isA(gtk_image_get_type()) && gtk_widget_has_css_class($0, isLeft ? "left" : "right") != 0
        }
    }

    var drawingWidget: UnsafeMutablePointer<GtkWidget> { iconWidget ?? widget }

    /// Whether the app has set a tooltip, which names the icon.
    var hasTooltip: Bool {
        guard let text = gtk_entry_get_icon_tooltip_text(entry, place) else { return false }
        defer { g_free(text) }
        return text.pointee != 0
    }

    var icon: Icon {
        get {
            Icon(
                gtk_entry_get_icon_storage_type(entry, place), name: gtk_entry_get_icon_name(entry, place),
                icon: gtk_entry_get_icon_gicon(entry, place), paintable: gtk_entry_get_icon_paintable(entry, place))
        }
        nonmutating set {
            switch newValue {
            case .none: gtk_entry_set_icon_from_paintable(entry, place, nil)
            case .named(let name): gtk_entry_set_icon_from_icon_name(entry, place, name)
            case .themed(let icon): gtk_entry_set_icon_from_gicon(entry, place, icon.pointer)
            case .paintable(let handle): gtk_entry_set_icon_from_paintable(entry, place, handle.pointer)
            }
        }
    }

    var size: PointSize {
        var area = GdkRectangle()
        gtk_entry_get_icon_area(entry, place, &area)
        return PointSize(width: Double(area.width), height: Double(area.height))
    }
}
