import CGtk4
import WebImage

/// The effect of a drag over a page.
enum BrowserDrag {
    case none
    /// The first movement decides.
    case undecided
    /// Moves a picture that is larger than the view.
    case panning(PhotoZoom)
    /// Turns pages, from the page at the beginning.
    case turning(PagePosition)
    /// Closes the browser, or not.
    case dismissing(DismissDrag)
}

extension BrowserInput {
    func beginDrag() {
        isPressed = true
        gtk_widget_grab_focus(browser.pages.stage)
        hasDragged = false
        guard !isHeld else { return drag = .none }
        drag = .undecided
        speed = PointerSpeed()
    }

    /// - Parameters:
    ///   - x: The way since the beginning, in points.
    ///   - time: In seconds.
    func updateDrag(_ x: Double, _ y: Double, at time: Double) {
        speed.note(x, y, at: time)
        if case .undecided = drag { decide(x, y) }
        switch drag {
        case .none, .undecided: break
        case .panning(var zoom):
            zoom.drag(byX: x, y: y)
            deck.current?.setZoom(zoom)
        case .turning(var position):
            position.drag(by: -pages(x))
            deck.move(to: position.position)
        case .dismissing(var dismissal):
            (dismissal.x, dismissal.y) = (x, y)
            drag = .dismissing(dismissal)
            browser.screen.drag(dismissal)
        }
    }

    /// - Parameter time: In seconds; nil for that of the last movement. A finger that rests before it lets go has no speed.
    func endDrag(_ x: Double, _ y: Double, at time: Double? = nil) {
        let former = drag
        drag = .none
        isPressed = false
        if let time { speed.note(x, y, at: time) }
        let speed = speed.value
        switch former {
        case .none, .undecided: return
        case .panning: endPan(speed)
        case .turning(let start):
            endHandoff()
            let target = deck.position.target(from: start.index, velocity: -pages(speed.x))
            browser.turn(to: target, animated: true)
        case .dismissing(let dismissal):
            // Without a picture to fly, its presentation ends at once, which may have held it alone.
            let browser = browser
            dismissal.closes(velocity: speed.y) ? browser.finish() : browser.pages.flight.settle()
            guard browser.screen.isTaken else { return }
            // The delegate may have kept the browser open.
            if !browser.screen.isClosing, browser.pages.flight.isDragging { browser.pages.flight.settle() }
        }
        browser.panels.releaseControls()
    }

    /// Something else has taken over: what was moved comes to rest.
    ///
    /// - Parameter settles: Whether a picture that was dragged away flies back to its page, and is not there at once.
    func cancelDrag(settles: Bool = true) {
        let former = drag
        drag = .none
        isPressed = false
        switch former {
        case .none, .undecided: return
        case .panning: endPan((0, 0))
        case .turning:
            endHandoff()
            browser.turn(to: deck.index, animated: true)
        case .dismissing: settles ? browser.pages.flight.settle() : browser.pages.flight.cancel()
        }
        browser.panels.releaseControls()
    }

    /// Ends a handoff that has begun during the drag, because it would hold up the turn.
    private func endHandoff() {
        if deck.current?.inputIsHeld == true { deck.current?.advanceHandoff(.cancelled) }
    }

    /// Points as pages, in the direction of reading.
    private func pages(_ x: Double) -> Double {
        let width = deck.view.width + 2 * PagePosition.padding
        return width > 0 ? (deck.isRightToLeft ? -x : x) / width : 0
    }

    private func decide(_ x: Double, _ y: Double) {
        guard max(abs(x), abs(y)) >= 8 else { return }
        let isAcross = abs(x) >= abs(y)
        if browser.pages.isTurning, !isAcross {
            browser.pages.settle()
        }
        guard let page = deck.current else { return }
        hasDragged = true
        interruptZoom(of: page)
        let zoom = page.zoom
        if isAcross ? zoom.isZoomed && zoom.canMove(byX: x) : zoom.canMove(byY: y) {
            drag = .panning(zoom)
        } else if isAcross {
            browser.pages.stopTurn()
            drag = .turning(deck.position)
            // A person who swipes looks at photos and not at the controls.
            browser.hideControls()
        } else if browser.enableSwipeToDismiss, browser.isPresented, !zoom.isZoomed {
            drag = .dismissing(DismissDrag(height: deck.view.height))
        } else if zoom.isZoomed {
            drag = .panning(zoom)
        } else {
            return drag = .none
        }
        browser.panels.holdControls()
    }

    /// A picture that was on its way stays where it is, within its limits and sharp.
    private func interruptZoom(of page: PhotoPage) {
        guard zooming.isRunning else { return }
        zooming.stop()
        page.setZoom(page.zoom.settled)
        deck.sharpen()
    }

    /// The picture goes on by itself for a while, and springs back from beyond its edges.
    func endPan(_ speed: (x: Double, y: Double)) {
        guard let page = deck.current else { return }
        var goal = page.zoom.settled
        guard goal == page.zoom else { return animateZoom(to: goal) }
        goal.pan(byX: speed.x * 0.25, y: speed.y * 0.25)
        if goal != page.zoom { animateZoom(to: goal, duration: 0.5) } else { deck.sharpen() }
    }
}
