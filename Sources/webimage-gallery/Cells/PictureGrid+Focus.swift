import CGtk4
import WebImageGTK

/// The focus of the keyboard.
extension PictureGrid {
    /// The index of the picture whose cell has the focus; nil for none.
    var focusedIndex: Int? { focusedCell?.position }

    private var focusedCell: PictureCell? {
        guard let focus = windowFocus, gtk_widget_is_ancestor(focus, grid) != 0 else { return nil }
        return liveCells.first { cell in
            guard cell.isBound, let item = Self.item(of: cell) else { return false }
            return focus == item || gtk_widget_is_ancestor(focus, item) != 0
        }
    }

    private var windowFocus: Widget? { gtk_widget_get_root(widget).flatMap { gtk_root_get_focus($0) } }

    /// The widget that the list puts around the card, and gives the focus to.
    private static func item(of cell: PictureCell) -> Widget? { gtk_widget_get_parent(cell.card) }

    /// Cells are made in the layout after their pictures are known; where a list is longer, one or two frames later.
    private static let frameLimit = 20

    /// Gives the focus to the cell of a picture as soon as there is one, unless the person moves it elsewhere meanwhile.
    func focus(on index: Int, scrolls: Bool = true) {
        focusing?.stop()
        guard items.indices.contains(index), !focusNow(on: index) else { return }
        if scrolls { scroll(to: index) }
        let former = windowFocus
        var frames = 0
        focusing = FrameTicks(of: widget, isOwn: false) { [weak self] _ in
            frames += 1
            guard let self, frames < Self.frameLimit, windowFocus == former else { return false }
            return !focusNow(on: index)
        }
    }

    private func focusNow(on index: Int) -> Bool {
        guard let cell = visibleCell(at: index), let item = Self.item(of: cell) else { return false }
        return gtk_widget_grab_focus(item) != 0
    }

    /// GTK's tabulator goes through all pictures of a grid, one after the other; here it leads through the buttons of a cell,
    /// and then out of the grid.
    func leaveByTab() {
        let keys: OpaquePointer = gtk_event_controller_key_new()
        gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
        connect(keys, "key-pressed") { [weak self] (key: Int, _: Int, state: GdkModifierType) in
            let others = GDK_CONTROL_MASK.rawValue | GDK_ALT_MASK.rawValue
            guard let self, state.rawValue & others == 0 else { return false }
            switch Int32(key) {
            case GDK_KEY_ISO_Left_Tab: return tab(GTK_DIR_TAB_BACKWARD)
            case GDK_KEY_Tab, GDK_KEY_KP_Tab:
                let isBack = state.rawValue & GDK_SHIFT_MASK.rawValue != 0
                return tab(isBack ? GTK_DIR_TAB_BACKWARD : GTK_DIR_TAB_FORWARD)
            default: return false
            }
        }
        gtk_widget_add_controller(grid, keys)
    }

    private func tab(_ direction: GtkDirectionType) -> Bool {
        guard let cell = focusedCell, let item = Self.item(of: cell) else { return left(direction) }
        let isOnItem = windowFocus == item
        if !isOnItem || direction == GTK_DIR_TAB_FORWARD, gtk_widget_child_focus(cell.card, direction) != 0 {
            return true
        }
        if !isOnItem, direction == GTK_DIR_TAB_BACKWARD { return gtk_widget_grab_focus(item) != 0 }
        return left(direction)
    }
}
