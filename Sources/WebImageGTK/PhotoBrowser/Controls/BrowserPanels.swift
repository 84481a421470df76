import CGtk4
import FoundationEssentials
import WebImage

/// The questions of a browser's panels to it, and their news.
protocol BrowserPanelsDelegate: AnyObject {
    /// The time until the controls hide; nil for never.
    var delayToHideElements: Duration? { get }
    /// Whether the picture is between its thumbnail and its page: nothing lies over it then.
    var isPictureFlying: Bool { get }
    /// Whether a button or a finger is down on the page.
    var isPressed: Bool { get }
    func perform(_ command: BrowserControls.Command)
    func focusPages()
}

/// The layers over the pages of a browser: the bars, with the time after which they hide, the menu of actions, and the grid.
final class BrowserPanels {
    private(set) lazy var controls = BrowserControls(of: self)
    /// Holds the grid, and nothing while that is hidden.
    let gridHolder: UnsafeMutablePointer<GtkWidget> = gtk_stack_new()
    private(set) var grid: PhotoGrid?
    private(set) var menu: BrowserMenu?
    weak var delegate: (any BrowserPanelsDelegate)?
    private let noGrid = UnsafeMutablePointer<GtkWidget>.box(GTK_ORIENTATION_VERTICAL)
    private let clock: any AnimationClock
    private var visibility = ControlsVisibility()
    private var hidingCall: (any CancellableTask)?

    init(clock: any AnimationClock) {
        self.clock = clock
        gtk_stack_set_transition_duration(OpaquePointer(gridHolder), 300)
        gtk_stack_add_child(OpaquePointer(gridHolder), noGrid)
        gtk_widget_set_can_target(gridHolder, 0)
    }

    /// Ends all, before the widgets go.
    func end() {
        grid = nil
        menu = nil
        cancelHiding()
    }

    // MARK: Bars

    /// Whether the bars and the caption are visible.
    var areControlsVisible: Bool { visibility.isVisible }

    func showControls() {
        visibility.show(at: clock.now, for: delegate?.delayToHideElements)
        applyVisibility()
    }

    func hideControls() {
        visibility.hide()
        applyVisibility()
    }

    /// A drag or a zoom begins.
    func holdControls() {
        visibility.holdTimer()
        applyVisibility()
    }

    /// A drag or a zoom has ended. A menu holds the controls until it is closed.
    func releaseControls() {
        guard menu == nil else { return }
        visibility.restartTimer(at: clock.now, for: delegate?.delayToHideElements)
        applyVisibility()
    }

    /// Shows other content in the bars, for which their time begins anew.
    ///
    /// - Parameter isPinned: Whether the bars never hide.
    func show(_ content: BrowserControls.Content, isPinned: Bool) {
        let hadFocus = controls.hasFocus
        controls.content = content
        if hadFocus, !controls.hasFocus { delegate?.focusPages() }
        visibility.isPinned = isPinned
        // The time stands still during a drag and while a menu is open.
        if !isPinned, menu == nil, delegate?.isPressed != true {
            visibility.restartTimer(at: clock.now, for: delegate?.delayToHideElements)
        }
        applyVisibility()
    }

    func applyVisibility() {
        controls.setVisible(visibility.isVisible && delegate?.isPictureFlying != true)
        hidingCall?.cancel()
        hidingCall = visibility.deadline.map { deadline in
            clock.call(at: deadline) { [weak self] in
                guard let self else { return }
                visibility.pass(to: clock.now)
                applyVisibility()
            }
        }
    }

    func cancelHiding() { hidingCall?.cancel() }

    /// The pointer has pressed a bar.
    func barWasPressed() {
        if menu == nil { delegate?.focusPages() }
    }

    /// Opens the menu of the button for actions.
    func openMenu(_ items: [BrowserMenu.Item]) {
        guard let button = controls.button(of: .action) else { return }
        showControls()
        holdControls()
        let hadFocus = controls.hasFocus
        let menu = BrowserMenu(on: button, items)
        menu.closed = { [weak self] in
            self?.menu = nil
            self?.releaseControls()
            if !hadFocus { self?.delegate?.focusPages() }
        }
        self.menu = menu
        menu.open()
    }

    func closeMenu() { menu = nil }

    // MARK: The grid

    /// Whether the grid covers the pages.
    var isGridVisible: Bool {
        grid.map { gtk_stack_get_visible_child(OpaquePointer(gridHolder)) == $0.widget } ?? false
    }

    func show(_ grid: PhotoGrid, _ direction: GtkStackTransitionType) {
        if self.grid == nil { gtk_stack_add_child(OpaquePointer(gridHolder), grid.widget) }
        self.grid = grid
        gtk_widget_set_can_target(gridHolder, 1)
        slide(to: grid.widget, direction)
    }

    func hideGrid(_ direction: GtkStackTransitionType) {
        grid?.willHide()
        slide(to: noGrid, direction)
        gtk_widget_set_can_target(gridHolder, 0)
    }

    private func slide(to child: UnsafeMutablePointer<GtkWidget>, _ direction: GtkStackTransitionType) {
        gtk_stack_set_transition_type(OpaquePointer(gridHolder), direction)
        gtk_stack_set_visible_child(OpaquePointer(gridHolder), child)
    }
}
