import CGtk4
import WebImage

/// The current scene of the browser.
extension PhotoBrowser {
    func scene(in size: PointSize) -> BrowserScene {
        var scene = BrowserScene()
        resize(to: size)
        scene.pages = deck.scene
        guard flight.isRunning, let pose = flight.pose, let still = shownStill else { return scene }
        scene.groundOpacity = pose.ground
        scene.pages = []
        if pose.opacity > 0 {
            let turns = deck.current?.still === still ? deck.current?.quarterTurns ?? 0 : 0
            scene.flight = BrowserScene.Flight(
                still: still, place: pose.place, quarterTurns: turns, opacity: pose.opacity)
        }
        return scene
    }

    /// Called during the draw, when the pages are laid out but nothing may be loaded.
    private func resize(to size: PointSize) {
        let scale = Double(gtk_widget_get_scale_factor(stage))
        guard size != deck.view || scale != deck.scale else { return }
        deck.resize(to: size, scale: scale)
        FrameTicks.next(of: stage) { [weak self] in self?.viewHasChanged() }
    }

    private func viewHasChanged() {
        deck.arrange()
        deck.sharpen()
        updateStatus()
    }

    /// The current picture of the page in view.
    private var shownStill: StillContent? {
        guard let page = deck.current else { return nil }
        return page.handoff.hidesPage ? page.helper?.still : page.still ?? page.helper?.still
    }

    var pagePlace: PictureFlight.Place? {
        guard let page = deck.current, shownStill != nil, !deck.view.isEmpty else { return nil }
        let frame = page.handoff.hidesPage ? page.helper?.frame : page.hasPicture ? page.zoom.frame : page.helper?.frame
        let view = PointRect(x: 0, y: 0, size: deck.view)
        guard let frame, let clip = frame.intersection(view) else { return nil }
        return PictureFlight.Place(frame: frame, clip: clip)
    }
}
