import CGtk4
import WebImage

/// The pointer, the fingers and the keys on a browser's pages.
final class BrowserInput {
    unowned let browser: PhotoBrowser
    /// The effect of the current drag; decided by its first movement.
    var drag = BrowserDrag.none
    var speed = PointerSpeed()
    /// Whether a button or a finger is down on the page.
    var isPressed = false
    /// Whether the button that is held has moved something: its release is no click.
    var hasDragged = false
    /// The factor at the beginning of a pinch, and the page that it is on.
    private var pinchStart: Double?
    private weak var pinchedPage: PhotoPage?
    /// The place of the pointer; nil while it is elsewhere, and without one.
    private var pointer: (x: Double, y: Double)?
    /// The point that stays in its place while a key or the wheel zooms.
    var zoomPoint: (x: Double, y: Double) { pointer ?? (deck.view.width / 2, deck.view.height / 2) }
    /// Toggles the controls when no second click has come.
    private var clickCall: (any CancellableTask)?
    var hasPendingClick: Bool { clickCall != nil }
    /// How soon and how near, in points, the second click of a double click comes where the desktop does not say.
    static let clickDelay = Duration.milliseconds(400)
    private static let clickDistance = 5.0
    private var lastClick: (time: Duration, x: Double, y: Double)?
    /// The sum of the parts of a notch that a fine wheel has turned by.
    var wheel = 0.0
    var swipe = TouchpadSwipe.none
    /// Ends a swipe whose end the device does not tell.
    var swipeCall: (any CancellableTask)?
    let zooming: AnimationSlot

    init(_ browser: PhotoBrowser) {
        self.browser = browser
        zooming = AnimationSlot(browser.pages.animator)
        addClicks()
        addDrags()
        addPinch()
        addWheel()
        addMotion()
        addKeys()
    }

    var deck: PageDeck { browser.pages.deck }

    /// Whether input is ignored: during a handoff and a flight.
    var isHeld: Bool { deck.current?.inputIsHeld == true || browser.pages.flight.isFlying }

    // MARK: Clicks

    private func addClicks() {
        let click: OpaquePointer = gtk_gesture_click_new()
        connect(click, "released") { [weak self] (_: Int, x: Double, y: Double) in self?.click(x, y) }
        gtk_widget_add_controller(browser.pages.widget, click)
    }

    /// Counts clicks itself: GTK's count begins anew where several gestures of a widget see them.
    func click(_ x: Double, _ y: Double) {
        clickCall?.cancel()
        clickCall = nil
        guard !isHeld, !hasDragged else { return lastClick = nil }
        let clock = browser.clock
        let delay = browser.widget.doubleClickTime ?? Self.clickDelay
        let distance = browser.widget.doubleClickDistance ?? Self.clickDistance
        if let last = lastClick, clock.now - last.time < delay, max(abs(last.x - x), abs(last.y - y)) <= distance {
            lastClick = nil
            return toggleZoom(x, y)
        }
        lastClick = (clock.now, x, y)
        clickCall = clock.call(at: clock.now + delay) { [weak self] in
            guard let self else { return }
            clickCall = nil
            browser.toggleControls()
        }
    }

    private func toggleZoom(_ x: Double, _ y: Double) {
        guard let page = deck.current, page.hasPicture, !page.photo.isVideo else { return }
        animateZoom(to: page.zoom.toggled(atX: x, y: y))
        browser.panels.releaseControls()
    }

    /// Moves the picture to another place, and makes it sharp there.
    func animateZoom(to goal: PhotoZoom, duration: Double = 0.25) {
        guard let page = deck.current else { return }
        let start = page.zoom
        zooming.run(
            duration, .easeOut, step: { [weak page] in page?.setZoom(start.moved(to: goal, by: $0)) },
            ended: { [weak self, weak page] in
                page?.setZoom(goal)
                self?.deck.sharpen()
            })
    }

    func zoom(by factor: Double, animated: Bool = true) {
        guard !isHeld, let page = deck.current, page.hasPicture else { return }
        var goal = page.zoom
        goal.zoom(to: goal.scale * factor, atX: zoomPoint.x, y: zoomPoint.y)
        browser.panels.holdControls()
        if animated {
            animateZoom(to: goal)
        } else {
            zooming.stop()
            page.setZoom(goal)
            deck.sharpen()
        }
        browser.panels.releaseControls()
    }

    // MARK: Fingers

    private func addPinch() {
        let pinch: OpaquePointer = gtk_gesture_zoom_new()
        connect(pinch, "scale-changed") { [weak self] (factor: Double) in self?.pinch(pinch, factor) }
        let object = UnsafeMutableRawPointer(pinch)
        connect(object, "begin") { [weak self] in self?.beginPinch() }
        connect(object, "end") { [weak self] in self?.endPinch() }
        connect(object, "cancel") { [weak self] in self?.endPinch() }
        gtk_widget_add_controller(browser.pages.widget, pinch)
    }

    func beginPinch() {
        guard !isHeld, let page = deck.current, page.hasPicture else { return }
        cancelDrag()
        zooming.stop()
        pinchStart = page.zoom.scale
        pinchedPage = page
        browser.panels.holdControls()
    }

    private func pinch(_ gesture: OpaquePointer, _ factor: Double) {
        var x = deck.view.width / 2
        var y = deck.view.height / 2
        _ = gtk_gesture_get_bounding_box_center(gesture, &x, &y)
        pinch(by: factor, atX: x, y: y)
    }

    func pinch(by factor: Double, atX x: Double, y: Double) {
        guard let pinchStart, let page = deck.current, page === pinchedPage else { return }
        var zoom = page.zoom
        zoom.pinch(to: pinchStart * factor, atX: x, y: y)
        page.setZoom(zoom)
    }

    func endPinch() {
        guard pinchStart != nil else { return }
        pinchStart = nil
        guard let page = deck.current, page === pinchedPage else { return browser.panels.releaseControls() }
        animateZoom(to: page.zoom.settled)
        browser.panels.releaseControls()
    }

    private func addDrags() {
        let gesture: OpaquePointer = gtk_gesture_drag_new()
        connect(gesture, "drag-begin") { [weak self] in self?.beginDrag() }
        connect(gesture, "drag-update") { [weak self] (x: Double, y: Double) in
            self?.updateDrag(x, y, at: Double(gtk_event_controller_get_current_event_time(gesture)) / 1000)
        }
        connect(gesture, "drag-end") { [weak self] (x: Double, y: Double) in
            self?.endDrag(x, y, at: Double(gtk_event_controller_get_current_event_time(gesture)) / 1000)
        }
        connect(UnsafeMutableRawPointer(gesture), "cancel") { [weak self] in self?.cancelDrag() }
        gtk_widget_add_controller(browser.pages.widget, gesture)
    }

    // MARK: The pointer

    private func addMotion() {
        let motion: OpaquePointer = gtk_event_controller_motion_new()
        connect(motion, "motion") { [weak self] (x: Double, y: Double) in self?.movePointer(x, y) }
        connect(UnsafeMutableRawPointer(motion), "leave") { [weak self] in self?.pointer = nil }
        // Also over a video.
        gtk_event_controller_set_propagation_phase(motion, GTK_PHASE_CAPTURE)
        gtk_widget_add_controller(browser.widget, motion)
    }

    func movePointer(_ x: Double, _ y: Double) {
        if let pointer, pointer == (x, y) { return }
        pointer = (x, y)
        // During a drag, the controls stay as they are.
        guard !isPressed else { return }
        // A person who moves the mouse looks for the controls.
        if !browser.areControlsVisible, !isHeld { browser.showControls() } else { browser.panels.releaseControls() }
    }

    // MARK: Keys

    private func addKeys() {
        let keys: OpaquePointer = gtk_event_controller_key_new()
        connect(keys, "key-pressed") { [weak self] (key: Int, code: Int, state: GdkModifierType) in
            guard let self else { return false }
            let group = gtk_event_controller_key_get_group(keys)
            let letter = latinLetter(ofCode: guint(code), outside: group, on: browser.widget)
            return press(BrowserKey(guint(key), state, elsewhere: letter))
        }
        gtk_widget_add_controller(browser.widget, keys)
    }
}
