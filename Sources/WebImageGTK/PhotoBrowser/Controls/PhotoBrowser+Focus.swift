import CGtk4

/// The focus of the keyboard, which is on the pages unless the person moves it by keys.
extension PhotoBrowser {
    func focusPages() { gtk_widget_grab_focus(isGridVisible ? grid?.view ?? stage : stage) }

    /// Makes a change of the controls. If it takes away the widget that has the focus, the pages get that.
    func keepFocus(of parts: UnsafeMutablePointer<GtkWidget>..., during change: () -> Void) {
        let hadFocus = parts.contains { $0.hasFocusInside }
        change()
        if hadFocus, !parts.contains(where: { $0.hasFocusInside }) { focusPages() }
    }
}
