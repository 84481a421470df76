import CGtk4
import WebImage

/// The indicator of one view: adds it to the widget, removes it, starts and stops it.
///
/// The widget keeps its place, its size and its pictures. When the widget is destroyed, the indicator is removed first.
final class IndicatorOverlay {
    private let widget: UnsafeMutablePointer<GtkWidget>
    /// The part of the widget that shows pictures; nil when only the app shows them. Used by indicators set afterwards.
    var target: (any PaintableTarget)?
    private var view: IndicatorWidget?
    private var seat: (any IndicatorSeat)?
    private var progress: Double = 0
    private var isAlive = true

    private static let key = "webimage-indicator-overlay"
    /// Classes of widgets that cannot hold an indicator and whose warning was logged already.
    private static var refusedClasses: Set<String> = []

    init(over widget: UnsafeMutablePointer<GtkWidget>, showing target: (any PaintableTarget)?) {
        self.widget = widget
        self.target = target
        connect(UnsafeMutableRawPointer(widget), "destroy") { [weak self] in self?.end() }
    }

    /// Whether the indicator was started and not stopped since.
    private(set) var isRunning = false

    /// The indicator over the view. A new one replaces the one before it, and runs if that was running.
    var indicator: (any WebImageIndicator)? {
        didSet {
            guard indicator !== oldValue else { return }
            if let oldValue { takeAway(oldValue) }
            if let indicator, isAlive { place(indicator) }
        }
    }

    /// A load has begun.
    func start() {
        guard isAlive, !isRunning else { return }
        isRunning = true
        progress = 0
        indicator?.startAnimating()
    }

    /// No load runs any more.
    func stop() {
        guard isRunning else { return }
        isRunning = false
        indicator?.stopAnimating()
    }

    /// Values outside 0 to 1 are clamped; NaN counts as 0.
    func update(progress: Double) {
        guard isRunning else { return }
        self.progress = progress.isNaN ? 0 : min(1, max(0, progress))
        indicator?.updateProgress(self.progress)
    }

    /// The widget is being destroyed: GTK warns about children that are left then.
    func end() {
        isAlive = false
        indicator = nil
        isRunning = false
    }

    private func place(_ indicator: any WebImageIndicator) {
        let view = IndicatorWidget(indicator.indicatorView)
        // An indicator has one view at a time, as a UIView has one superview: it leaves its former view.
        Self.overlay(holding: view.pointer)?.indicator = nil
        guard gtk_widget_is_ancestor(widget, view.pointer) == 0, view.pointer != widget else {
            return WebImageLog.warn("a view cannot be its own indicator, nor can what it lies in")
        }
        self.view = view
        g_object_set_data(view.pointer.object, Self.key, Unmanaged.passUnretained(self).toOpaque())
        seat = makeSeat(for: view.pointer)
        // Last, because the app's code may do anything, even destroy the widget.
        guard isRunning else { return }
        indicator.startAnimating()
        indicator.updateProgress(progress)
    }

    private func takeAway(_ indicator: any WebImageIndicator) {
        guard let view else { return }
        self.view = nil
        g_object_set_data(view.pointer.object, Self.key, nil)
        seat?.leave(!isAlive)
        seat = nil
        if isRunning { indicator.stopAnimating() }
    }

    private func makeSeat(for view: UnsafeMutablePointer<GtkWidget>) -> (any IndicatorSeat)? {
        // The app has placed the indicator itself.
        guard gtk_widget_get_parent(view) == nil, gtk_widget_get_root(view) == nil else { return nil }
        switch IndicatorRoute(widget, showing: target) {
        case .overlay: return OverlaySeat(view, over: widget)
        case .child: return ChildSeat(view, over: widget)
        case .paintable: return target.map { PaintableSeat(view, over: $0) }
        case .none:
            refuse()
            return nil
        }
    }

    private func refuse() {
        guard Self.refusedClasses.insert(widget.className).inserted else { return }
        WebImageLog.warn(
            "an indicator cannot be shown over a \(widget.className), which lays out and draws its children in its own "
                + "way: put the widget into a GtkOverlay, and the indicator over that")
    }

    /// The overlay that holds `view`.
    private static func overlay(holding view: UnsafeMutablePointer<GtkWidget>) -> IndicatorOverlay? {
        g_object_get_data(view.object, key).map {
            Unmanaged<IndicatorOverlay>.fromOpaque($0).takeUnretainedValue()
        }
    }
}
