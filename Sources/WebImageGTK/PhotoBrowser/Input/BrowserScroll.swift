import CGtk4
import WebImage

/// The effect of a swipe over a touchpad, until the fingers have left it.
enum TouchpadSwipe {
    case none
    /// The movement so far, in points: the first few decide.
    case undecided(x: Double, y: Double)
    /// Moves a picture that is larger than the view.
    case panning
    /// The fingers have let go of a picture that they have moved.
    case released
    /// Turns a page as soon as this sum, in notches of a wheel, is one.
    case turning(Double)
    /// Has turned its page: no other one follows.
    case done
}

/// The wheel, and swipes over a touchpad.
extension BrowserInput {
    /// The points that a notch of the wheel moves.
    private static let wheelStep = 60.0
    /// The points after which it is clear what a swipe is about.
    private static let swipeThreshold = 4.0
    /// Fingers that rest so long have ended their swipe.
    static let swipePause = Duration.milliseconds(250)

    func addWheel() {
        let flags = [GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES, GTK_EVENT_CONTROLLER_SCROLL_KINETIC]
        let scroll: OpaquePointer = gtk_event_controller_scroll_new(
            GtkEventControllerScrollFlags(rawValue: flags.reduce(0) { $0 | $1.rawValue }))
        connect(scroll, "scroll") { [weak self] (x: Double, y: Double) in
            let isZoom = gtk_event_controller_get_current_event_state(scroll).rawValue & GDK_CONTROL_MASK.rawValue != 0
            let notch = Self.notch(of: scroll)
            self?.scroll(x / notch, y / notch, zooms: isZoom, isTouchpad: Self.isTouchpad(scroll))
            return true
        }
        let object = UnsafeMutableRawPointer(scroll)
        connect(object, "scroll-begin") { [weak self] in self?.beginSwipe() }
        connect(object, "scroll-end") { [weak self] in self?.endSwipe() }
        connect(scroll, "decelerate") { [weak self] (x: Double, y: Double) in
            let step = Self.wheelStep / Self.notch(of: scroll)
            self?.decelerate(x * step, y * step)
        }
        gtk_widget_add_controller(browser.pages.widget, scroll)
    }

    /// A touchpad reports points where its driver knows them, and a wheel notches.
    private static func notch(of scroll: OpaquePointer) -> Double {
        gtk_event_controller_scroll_get_unit(scroll) == GDK_SCROLL_UNIT_SURFACE ? wheelStep : 1
    }

    private static func isTouchpad(_ scroll: OpaquePointer) -> Bool {
        if gtk_event_controller_scroll_get_unit(scroll) == GDK_SCROLL_UNIT_SURFACE { return true }
        guard let device = gtk_event_controller_get_current_event_device(scroll) else { return false }
        return gdk_device_get_source(device) == GDK_SOURCE_TOUCHPAD
    }

    /// - Parameters:
    ///   - x: In notches.
    ///   - zooms: Whether Control is held.
    func scroll(_ x: Double, _ y: Double, zooms: Bool, isTouchpad: Bool = false) {
        guard !isHeld, let page = deck.current else { return }
        if zooms { return zoom(by: pow(1.25, -y), animated: false) }
        if isTouchpad { return swipe(x * Self.wheelStep, y * Self.wheelStep, over: page) }
        if canPan(x, y, page) {
            // The notch that reaches the edge does not turn the page.
            wheel = 0
            zooming.stop()
            var zoom = page.zoom
            zoom.pan(byX: -x * Self.wheelStep, y: -y * Self.wheelStep)
            return page.setZoom(zoom)
        }
        guard !browser.pages.isTurning else { return wheel = 0 }
        wheel += forward(x, y)
        if turn(by: wheel) { wheel = 0 }
    }

    /// Whether the picture goes on in the direction of a movement, which pans it then.
    private func canPan(_ x: Double, _ y: Double, _ page: PhotoPage) -> Bool {
        abs(x) > abs(y) ? page.zoom.isZoomed && page.zoom.canMove(byX: -x) : page.zoom.canMove(byY: -y)
    }

    /// In the direction of reading.
    private func forward(_ x: Double, _ y: Double) -> Double { abs(x) > abs(y) ? (deck.isRightToLeft ? -x : x) : y }

    /// Turns one page after one notch.
    private func turn(by notches: Double) -> Bool {
        guard abs(notches) >= 1 else { return false }
        notches > 0 ? browser.showNextPhoto(animated: true) : browser.showPreviousPhoto(animated: true)
        return true
    }

    // MARK: Touchpads

    func beginSwipe() { swipe = .undecided(x: 0, y: 0) }

    /// The fingers have left the touchpad, or rest on it.
    func endSwipe() {
        swipeCall?.cancel()
        swipeCall = nil
        guard case .panning = swipe else { return swipe = .none }
        swipe = .released
        endPan((0, 0))
    }

    /// After the end of a swipe.
    ///
    /// - Parameter x: The speed of the fingers, in points a second.
    func decelerate(_ x: Double, _ y: Double) {
        guard case .released = swipe else { return }
        swipe = .none
        endPan((-x, -y))
    }

    private func swipe(_ x: Double, _ y: Double, over page: PhotoPage) {
        swipeCall?.cancel()
        swipeCall = browser.clock.call(at: browser.clock.now + Self.swipePause) { [weak self] in
            self?.endSwipe()
        }
        switch swipe {
        case .none, .released: decide(x, y, over: page)
        case .undecided(let formerX, let formerY): decide(formerX + x, formerY + y, over: page)
        case .panning: pan(page, x, y)
        case .turning(let sum): turn(sum, x, y)
        case .done: break
        }
    }

    private func decide(_ x: Double, _ y: Double, over page: PhotoPage) {
        guard max(abs(x), abs(y)) >= Self.swipeThreshold else { return swipe = .undecided(x: x, y: y) }
        canPan(x, y, page) ? pan(page, x, y) : turn(0, x, y)
    }

    /// As a finger does it: with soft edges.
    private func pan(_ page: PhotoPage, _ x: Double, _ y: Double) {
        swipe = .panning
        zooming.stop()
        var zoom = page.zoom
        zoom.drag(byX: -x, y: -y)
        page.setZoom(zoom)
    }

    private func turn(_ sum: Double, _ x: Double, _ y: Double) {
        let sum = browser.pages.isTurning ? 0 : sum + forward(x, y) / Self.wheelStep
        swipe = turn(by: sum) ? .done : .turning(sum)
    }
}
