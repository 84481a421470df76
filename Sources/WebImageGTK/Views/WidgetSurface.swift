import CGtk4
import WebImage

/// Shows pictures in the places of one widget, and says what its loads do.
final class WidgetSurface: PresentationSurface {
    /// The widget; nothing but its address once ``end()`` was called.
    let widget: UnsafeMutablePointer<GtkWidget>
    /// Lies over the widget while pictures are on their way.
    var indicator: (any WebImageIndicator)?
    /// How parts of a picture are shown.
    var progressiveDisplay = ProgressiveDisplay.topToBottom
    private var displays: [ViewLoadKey: PaintableDisplay] = [:]
    private var isAlive = true
    /// Set while a completion is being told of a picture that was shown.
    private var replaced: Replaced?

    /// What a place showed before; nil within for an empty one.
    private struct Replaced {
        let key: ViewLoadKey
        let content: ViewContent?
    }

    init(_ widget: UnsafeMutablePointer<GtkWidget>) { self.widget = widget }

    /// What a view shows, and how; nil when the widget is gone.
    func display(of view: any WidgetView) -> PaintableDisplay? {
        guard isAlive else { return nil }
        let slot = view.slot
        if let display = displays[slot.key] { return display }
        let display = PaintableDisplay(slot.target ?? AppFilledTarget(widget: widget))
        displays[slot.key] = display
        return display
    }

    /// The widget is out of sight: all transitions go to their ends.
    func suspend() {
        for display in displays.values { display.suspend() }
    }

    /// The widget is going.
    func end() {
        guard isAlive else { return }
        isAlive = false
        for display in displays.values { display.interrupt() }
        indicator = nil
    }

    /// Lets the picture that a completion is being told of appear gradually.
    func fadeFromPrevious(_ transition: FadeTransition, in view: any WidgetView) {
        guard let replaced, replaced.key == view.slot.key else { return }
        display(of: view)?.fadeIn(over: replaced.content, transition)
    }

    // MARK: PresentationSurface

    func image(in view: any WidgetView) -> Image? { display(of: view)?.image }

    /// Nothing but a picture that was loaded fades in, so whatever else is shown lets go of the former content.
    func show(_ image: Image?, as role: PictureRole, in view: any WidgetView) {
        guard let display = display(of: view) else { return }
        let key = view.slot.key
        if role == .final {
            replaced = Replaced(key: key, content: display.captureCurrent())
        } else if replaced?.key == key {
            replaced = nil
        }
        if role == .preliminary, let image {
            display.show(partial: image, as: progressiveDisplay)
        } else {
            display.show(image)
        }
    }

    func transition(
        _ transition: WidgetTransition, to image: Image, in view: any WidgetView, steps: TransitionSteps
    ) {
        guard let display = display(of: view) else { return }
        var run = TransitionRun(transition)
        let context = TransitionContext(
            duration: display.canAnimate ? run.duration : 0, timingFunction: run.timing,
            allowsImplicitAnimation: run.allowsImplicitAnimation)
        run.onFrame = context.advance
        run.finished = { [weak self] isFinished in
            // A widget that goes takes its transition with it.
            if self?.isAlive == true { steps.ended(isFinished) }
        }
        display.transition(run) {
            steps.set()
            context.run(steps.animate)
        }
        replaced = nil
    }

    func settle(_ view: any WidgetView) { replaced = nil }

    func setStatus(_ status: ViewLoadStatus) {
        if isAlive { StatusClass.set(status, on: widget) }
    }

    func startIndicator() { indicator?.startAnimating() }

    func stopIndicator() { indicator?.stopAnimating() }

    func updateIndicator(_ progress: Double) { indicator?.updateProgress(progress) }
}
