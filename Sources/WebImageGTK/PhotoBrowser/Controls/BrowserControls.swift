import CGtk4
import WebImage

/// The bars over a browser's pages: at the top its title, at the bottom the caption and the buttons.
final class BrowserControls {
    /// A command of the buttons.
    enum Command {
        case close, toggleGrid, previous, next, action, toggleSelection, toggleFullScreen, turn
    }

    /// The name of a photo below it.
    enum Caption: Equatable {
        case text(String)
        /// One of the app's own, which the bars take.
        case widget(UnsafeMutablePointer<GtkWidget>)
    }

    /// The content of the bars.
    struct Content: Equatable {
        var title = ""
        var caption: Caption?
        var canClose = false
        var hasGrid = false
        var isGridShown = false
        var hasArrows = false
        var hasNext = false
        var hasPrevious = false
        var hasAction = false
        var canAct = false
        /// nil without a selection button.
        var isSelected: Bool?
        var selectedIcon = "object-select-symbolic"
    }

    let top: UnsafeMutablePointer<GtkWidget> = gtk_center_box_new()
    let bottom = UnsafeMutablePointer<GtkWidget>.box(GTK_ORIENTATION_VERTICAL, style: "bar", "bottom")
    let title: UnsafeMutablePointer<GtkWidget> = gtk_label_new("")
    private let topButtons = UnsafeMutablePointer<GtkWidget>.box(GTK_ORIENTATION_HORIZONTAL)
    private let toolbar = UnsafeMutablePointer<GtkWidget>.box(GTK_ORIENTATION_HORIZONTAL)
    private let captionHolder = UnsafeMutablePointer<GtkWidget>.box(GTK_ORIENTATION_VERTICAL)
    private(set) var caption: UnsafeMutablePointer<GtkWidget>?
    private var buttons: [Command: UnsafeMutablePointer<GtkWidget>] = [:]
    private weak var panels: BrowserPanels?

    /// The current content.
    var content = Content() {
        didSet {
            if content.caption != oldValue.caption { place(content.caption) }
            if content != oldValue { update() }
        }
    }

    init(of panels: BrowserPanels) {
        self.panels = panels
        let title = title
        gtk_widget_add_css_class(title, "title")
        gtk_label_set_ellipsize(OpaquePointer(title), PANGO_ELLIPSIZE_END)
        topButtons.append(
            button(.turn, "object-rotate-right-symbolic", "Turn clockwise"),
            button(.toggleSelection, "radio-symbolic", "Select"),
            button(.toggleFullScreen, "view-fullscreen-symbolic", "Full screen"))
        for name in ["bar", "top"] { gtk_widget_add_css_class(top, name) }
        gtk_center_box_set_start_widget(
            OpaquePointer(top), button(.close, "window-close-symbolic", "Close"))
        gtk_center_box_set_center_widget(OpaquePointer(top), title)
        gtk_center_box_set_end_widget(OpaquePointer(top), topButtons)
        toolbar.append(
            button(.toggleGrid, "view-grid-symbolic", "All photos"), .spacer(),
            button(.previous, "go-previous-symbolic", "Previous photo"), .spacer(),
            button(.next, "go-next-symbolic", "Next photo"), .spacer(),
            button(.action, "open-menu-symbolic", "Actions"))
        bottom.append(captionHolder, toolbar)
        gtk_widget_set_valign(top, GTK_ALIGN_START)
        gtk_widget_set_valign(bottom, GTK_ALIGN_END)
        for bar in [top, bottom] { watchPresses(of: bar) }
        update()
    }

    private func watchPresses(of bar: UnsafeMutablePointer<GtkWidget>) {
        let click: OpaquePointer = gtk_gesture_click_new()
        // Before a button takes it.
        gtk_event_controller_set_propagation_phase(click, GTK_PHASE_CAPTURE)
        connect(click, "pressed") { [weak self] in self?.panels?.barWasPressed() }
        gtk_widget_add_controller(bar, click)
    }

    func button(of command: Command) -> UnsafeMutablePointer<GtkWidget>? { buttons[command] }

    /// Shows or hides both bars, by fading and sliding. Hidden ones get neither the pointer nor the keyboard.
    func setVisible(_ isVisible: Bool) {
        let hadFocus = hasFocus
        for bar in [top, bottom] {
            bar.setStyle("away", !isVisible)
            gtk_widget_set_can_target(bar, isVisible ? 1 : 0)
            gtk_widget_set_can_focus(bar, isVisible ? 1 : 0)
        }
        if hadFocus, !isVisible { panels?.delegate?.focusPages() }
    }

    var hasFocus: Bool { top.hasFocusInside || bottom.hasFocusInside }

    var isVisible: Bool { gtk_widget_has_css_class(top, "away") == 0 }

    private func button(_ command: Command, _ icon: String, _ label: String) -> UnsafeMutablePointer<GtkWidget> {
        let button = BrowserButton.make(icon, label) { [weak self] in self?.panels?.delegate?.perform(command) }
        buttons[command] = button
        return button
    }

    private func update() {
        gtk_label_set_text(OpaquePointer(title), content.title)
        buttons[.close]?.setVisible(content.canClose || content.isGridShown)
        buttons[.toggleGrid]?.setVisible(content.hasGrid && !content.isGridShown)
        for (command, isEnabled) in [(Command.previous, content.hasPrevious), (.next, content.hasNext)] {
            buttons[command]?.setVisible(content.hasArrows)
            buttons[command]?.setEnabled(isEnabled)
        }
        placeAction(inToolbar: content.hasGrid || content.hasArrows)
        buttons[.action]?.setVisible(content.hasAction)
        buttons[.action]?.setEnabled(content.canAct)
        buttons[.turn]?.setVisible(!content.isGridShown)
        buttons[.toggleSelection]?.setVisible(content.isSelected != nil && !content.isGridShown)
        if let button = buttons[.toggleSelection], let isSelected = content.isSelected {
            BrowserButton.setIcon(isSelected ? content.selectedIcon : "radio-symbolic", of: button)
            BrowserButton.name(button, isSelected ? "Deselect" : "Select")
        }
        let hasToolbar = !content.isGridShown && (content.hasGrid || content.hasArrows)
        toolbar.setVisible(hasToolbar)
        bottom.setVisible(hasToolbar || (caption != nil && !content.isGridShown))
    }

    /// Puts the button for actions into the title bar where the toolbar would hold nothing else.
    private func placeAction(inToolbar isInToolbar: Bool) {
        let place = isInToolbar ? toolbar : topButtons
        guard let button = buttons[.action], let former = gtk_widget_get_parent(button), former != place else { return }
        g_object_ref(button)
        gtk_box_remove(cast(former), button)
        place.append(button)
        g_object_unref(button)
    }

    private func place(_ content: Caption?) {
        if let caption { gtk_box_remove(cast(captionHolder), caption) }
        caption =
            switch content {
            case .text(let text): text.isEmpty ? nil : Self.label(text)
            case .widget(let widget): widget
            case nil: nil
            }
        if let caption { captionHolder.append(caption) }
    }

    private static func label(_ text: String) -> UnsafeMutablePointer<GtkWidget> {
        let label: UnsafeMutablePointer<GtkWidget> = gtk_label_new(text)
        gtk_widget_add_css_class(label, "caption")
        gtk_label_set_wrap(OpaquePointer(label), 1)
        gtk_label_set_justify(OpaquePointer(label), GTK_JUSTIFY_CENTER)
        return label
    }
}
