import CGtk4
import WebImage

/// The pictures and loads of one widget, which owns this object.
final class Coordinator {
    let surface: WidgetSurface
    let loads: ViewCoordinator<WidgetSurface>
    let lane = CompletionPump.Lane()

    private static let key = "webimage-coordinator"

    /// The widget's coordinator, created at first use.
    static func of(_ widget: UnsafeMutablePointer<GtkWidget>) -> Coordinator {
        AssociatedObject.of(key, on: widget) { Coordinator(widget) }
    }

    private init(_ widget: UnsafeMutablePointer<GtkWidget>) {
        MainLoopBridge.install()
        surface = WidgetSurface(widget)
        loads = ViewCoordinator(surface: surface, queue: CompletionPump.shared.callbackQueue(lane: lane))
        lane.isSeen = surface.isSeen
        let object = UnsafeMutableRawPointer(widget)
        connect(object, "destroy") { [weak self] in self?.end() }
        // Frame clocks tick for hidden widgets, too.
        connect(object, "unmap") { [weak self] in MainThreadTime.measure { self?.hasDisappeared() } }
        connect(object, "map") { [weak self] in MainThreadTime.measure { self?.hasAppeared() } }
        connect(object, "notify::scale-factor") { [weak self] in self?.surface.scaleHasChanged() }
        surface.admission.moved = { [lane] in lane.isSeen = $0 == .seen }
        surface.showedUnseen = { [weak self] in self.map { UnseenViews.shared.hide($0) } }
        surface.growth.isWorthTelling = { [weak self] in self?.loads.upkeep.canBeSharper(at: $0) ?? false }
        surface.growth.told = { [weak self] place in self?.loads.upkeep.viewMayHaveGrown(at: place) }
    }

    isolated deinit { end() }

    /// Sets the indicator, in place of the one before it.
    ///
    /// - Parameter target: The part of the widget that shows pictures, where the indicator is to lie.
    func setIndicator(_ indicator: (any WebImageIndicator)?, over target: (any PaintableTarget)?) {
        loads.changeIndicator(isThere: indicator != nil) { surface.setIndicator(indicator, over: target) }
    }

    /// GTK maps all cells of a list, and unmaps most of them in the layout: only then it is known which are visible.
    private func hasAppeared() {
        surface.widgetWasMapped()
        afterLayoutOfList { [weak self] in
            if let self, surface.isSeen { becomeSeen() }
        }
    }

    /// A list unmaps cells while it is laid out. GTK draws nothing of a cell that has to be laid out anew since then: what
    /// may change its size waits.
    private func hasDisappeared() {
        lane.isSeen = false
        afterLayoutOfList { [weak self] in
            if let self, !surface.isSeen { becomeUnseen() }
        }
    }

    private func afterLayoutOfList(_ body: @escaping () -> Void) {
        guard surface.isInRecyclingList, let window = WindowLoads.around(surface.widget) else { return body() }
        window.nextLook(body)
    }

    private func becomeSeen() {
        lane.isSeen = true
        UnseenViews.shared.remove(self)
        loads.visibilityHasChanged()
    }

    private func becomeUnseen() {
        surface.suspend()
        loads.visibilityHasChanged()
        UnseenViews.shared.hide(self)
    }

    private func end() {
        UnseenViews.shared.remove(self)
        surface.end()
        loads.end()
    }
}
