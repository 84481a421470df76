import CGtk4
import FoundationEssentials
import WebImage

/// Shows pictures in the places of one widget, and the status of its loads.
final class WidgetSurface: PresentationSurface {
    /// The widget; a dangling address after ``end()``.
    let widget: UnsafeMutablePointer<GtkWidget>
    /// Decides when loads may begin.
    let admission: ViewAdmission
    let growth: ViewGrowth
    /// Called when a picture was shown while the widget is invisible.
    var showedUnseen: () -> Void = {}
    /// The way partial pictures are shown.
    var progressiveDisplay = ProgressiveDisplay.topToBottom
    /// The way placeholders and error pictures fit into their views; nil for that of pictures, and for icons never
    /// enlarged.
    var placeholderFit = PlaceholderContentFit.automatic
    private let name: AccessibleName
    /// The accessible names of an entry's icons.
    private var iconNames: [ViewLoadKey: AccessibleName] = [:]
    private var overlay: IndicatorOverlay?
    private var displays: [ViewLoadKey: PaintableDisplay] = [:]
    /// The places of the displays, by the same keys.
    private var slots: [ViewLoadKey: PictureSlot] = [:]
    private var isAlive = true
    /// Set while the completion for a shown picture runs.
    private var replaced: Replaced?

    /// The former content of a place; nil within for an empty one.
    private struct Replaced {
        let key: ViewLoadKey
        let content: ViewContent?
    }

    init(_ widget: UnsafeMutablePointer<GtkWidget>) {
        self.widget = widget
        admission = ViewAdmission(widget)
        growth = ViewGrowth(of: widget)
        name = AccessibleName(of: widget)
    }

    /// Shown over the widget while pictures are being loaded.
    var indicator: (any WebImageIndicator)? { overlay?.indicator }

    /// Sets the indicator over the widget, in place of the one before it.
    ///
    /// - Parameter target: The part of the widget that shows the picture.
    func setIndicator(_ indicator: (any WebImageIndicator)?, over target: (any PaintableTarget)?) {
        guard isAlive, indicator != nil || overlay != nil else { return }
        let overlay = overlay ?? IndicatorOverlay(over: widget, showing: nil)
        self.overlay = overlay
        // A widget that the app fills may still be a picture.
        if let target = target ?? widget.picturePlace { overlay.target = target }
        overlay.indicator = indicator
    }

    /// The accessible name of the widget, or of the entry icon that the view represents; nil after the end of the
    /// widget.
    func accessibleName(of view: any WidgetView) -> AccessibleName? {
        guard isAlive else { return nil }
        let slot = view.slot
        guard case .icon(let position) = slot.naming else { return name }
        if let name = iconNames[slot.key] { return name }
        let name = AccessibleName(of: EntryIconHolder(widget: view.widget, position: position).iconWidget)
        iconNames[slot.key] = name
        return name
    }

    /// A load for `view` begins.
    func setURL(_ url: URL?, of view: any WidgetView) {
        guard isAlive else { return }
        displays[view.slot.key]?.playback?.belongsToFormerLoad = true
        switch view.slot.naming {
        case .nothing: break
        case .widget: name.url = url
        case .button: name.url = widget.hasText ? nil : url
        case .icon(let position):
            let isNamed = EntryIconHolder(widget: widget, position: position).hasTooltip
            accessibleName(of: view)?.url = isNamed ? nil : url
        }
    }

    /// The display of a view; nil after the end of the widget.
    func display(of view: any WidgetView) -> PaintableDisplay? {
        guard isAlive else { return nil }
        let slot = view.slot
        let former = displays[slot.key]
        if let former, slot.target == nil || !(former.target is AppFilledTarget) { return former }
        let display = PaintableDisplay(slot.target ?? AppFilledTarget(widget: widget))
        display.resized = { [weak self] in self?.growth.note(slot.key) }
        displays[slot.key] = display
        slots[slot.key] = slot
        // An earlier view of this place left the display to the app; this view has a target.
        former?.interrupt()
        return display
    }

    /// The widget is invisible: all transitions jump to their ends.
    func suspend() {
        for display in displays.values { display.suspend() }
    }

    /// The widget is being destroyed.
    func end() {
        guard isAlive else { return }
        isAlive = false
        for display in displays.values { display.interrupt() }
        admission.end()
        growth.end()
        overlay?.end()
        overlay = nil
    }

    /// Fades in the picture whose completion is running.
    func fadeFromPrevious(_ transition: FadeTransition, in view: any WidgetView) {
        guard let replaced, replaced.key == view.slot.key else { return }
        display(of: view)?.fadeIn(over: replaced.content, transition)
    }

    // MARK: PresentationSurface

    func image(in view: any WidgetView) -> Image? { display(of: view)?.image }

    func show(_ image: Image?, as role: PictureRole, in view: any WidgetView) {
        show(image, as: role, in: view, usualFit: role == .placeholder ? usualPlaceholderFit : nil)
    }

    private var usualPlaceholderFit: ContentFit? { if case .always(let fit) = placeholderFit { fit } else { nil } }

    /// Shows the app's own picture, which is neither loaded nor a placeholder.
    func setImage(_ image: Image?, in view: any WidgetView) {
        show(image, as: .placeholder, in: view, usualFit: nil)
    }

    /// Only a loaded picture fades in; anything else releases the former content.
    private func show(_ image: Image?, as role: PictureRole, in view: any WidgetView, usualFit: ContentFit?) {
        guard let display = display(of: view) else { return }
        let fit = if let image { image.fit(usually: usualFit) } else { usualFit }
        let image = image?.drawn
        let key = view.slot.key
        switch role {
        case .final, .completed: replaced = Replaced(key: key, content: display.captureCurrent())
        case .immediate: replaced = Replaced(key: key, content: nil)
        case .placeholder, .preliminary: if replaced?.key == key { replaced = nil }
        }
        let size = role != .placeholder && admission.isViewSized(key) ? image?.naturalSize : nil
        if role == .preliminary || role == .completed, let image {
            display.show(step: image, size: size, as: progressiveDisplay)
        } else {
            display.show(image, size: size, fit: fit)
        }
        // An entry creates the widget of an icon with its first picture.
        if !iconNames.isEmpty { iconNames[key]?.update() }
        if role != .placeholder, role != .preliminary, !isSeen { showedUnseen() }
    }

    func transition(
        _ transition: WidgetTransition, to image: Image, in view: any WidgetView, steps: TransitionSteps
    ) {
        guard let display = display(of: view) else { return }
        var run = TransitionRun(transition)
        let context = TransitionContext(
            duration: display.canBeSeen(run) ? transition.duration : .zero, timingFunction: run.timing,
            allowsImplicitAnimation: run.allowsImplicitAnimation)
        run.onFrame = context.advance
        run.finished = { [weak self] isFinished in
            // A destroyed widget ends its transition.
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
        guard isAlive else { return }
        StatusClass.set(status, on: widget)
        widget.setAccessibleBusy(status == .loading)
    }

    func startIndicator() { overlay?.start() }

    func stopIndicator() { overlay?.stop() }

    func updateIndicator(_ progress: Double) { overlay?.update(progress: progress) }
}

// MARK: - Lists

extension WidgetSurface {
    var isSeen: Bool { isAlive && gtk_widget_get_mapped(widget) != 0 }

    func image(at place: ViewLoadKey) -> Image? { isAlive ? displays[place]?.image : nil }

    func decodeBox(at place: ViewLoadKey) -> DecodeBox? {
        guard isAlive, let slot = slots[place] else { return nil }
        return admission.box(of: slot)
    }

    func drop(_ place: ViewLoadKey) {
        if isAlive { displays[place]?.drop() }
    }

    func standIn(_ image: Image?, at place: ViewLoadKey) {
        guard isAlive else { return }
        displays[place]?.standIn(image?.drawn, fit: image?.fit(usually: usualPlaceholderFit))
    }

    func replace(by image: Image, at place: ViewLoadKey) {
        guard isAlive else { return }
        displays[place]?.replace(by: image)
        if !isSeen { showedUnseen() }
    }

    /// The number of draws of the widget's pictures at rest.
    var drawCount: Int { displays.values.reduce(0) { $0 + $1.drawCount } }

    func widgetWasMapped() { admission.widgetWasMapped() }

    /// Whether the widget is in a list that makes cells for the visible items and for some more.
    var isInRecyclingList: Bool { isAlive && admission.isInRecyclingList }

    /// The widget's scale factor has changed.
    func scaleHasChanged() { displays.keys.forEach(growth.note) }
}

extension Image {
    /// The way it fits into a view; nil for that of pictures.
    fileprivate func fit(usually usual: ContentFit?) -> ContentFit? {
        switch appearance {
        case .pixels, .cachedHash: usual
        case .icon: usual ?? .scaleDown
        case .blur: nil
        case .backdrop: .fill
        }
    }

    /// The size of the full picture, in points: the layout must not depend on the decoded size. nil where it is the
    /// picture's own size.
    fileprivate var naturalSize: PointSize? {
        guard metadata.isThumbnail, !metadata.isTransformed, let size = metadata.originalPixelSize else { return nil }
        return size.points(at: scale)
    }
}
