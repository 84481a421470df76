import CGtk4
import WebImage

/// The loads of a window's views in lists and scrollers: begins them when their views are seen or near, in that order.
///
/// It looks at the views once per frame, after the layout. Any earlier is too early: GTK binds some two hundred cells of
/// a list, maps them all when the window appears, and unmaps those outside of the visible part in the layout. The root
/// widget owns it.
final class WindowLoads {
    /// A load, from its request to its end.
    struct Load {
        let widget: UnsafeMutablePointer<GtkWidget>
        /// Whether it waits while its scroller is fast.
        let isPatient: Bool
        let move: @MainActor (ViewVisibility) -> Void
        var visibility = ViewVisibility.far
    }

    /// The time that the loads of visible views have before those of near ones begin, whether they have ended or not.
    var patience = Duration.seconds(1)

    /// nil once the window is destroyed; loads of views that have left it before may still be here.
    private var root: UnsafeMutablePointer<GtkWidget>?
    private var loads: [ViewLoadID: Load] = [:]
    /// Called after the next layout.
    private var afterLayout: [() -> Void] = []
    private var layouts: SignalConnection?
    private var watch: FrameWatch?
    private var seenPatience: Task<Void, Never>?
    /// Whether visible loads have had their time.
    private var isPatienceOver = false

    private static let key = "webimage-window-loads"

    private init(_ root: UnsafeMutablePointer<GtkWidget>) {
        self.root = root
        connect(UnsafeMutableRawPointer(root), "unrealize") { [weak self] in self?.stopWatching() }
        connect(UnsafeMutableRawPointer(root), "destroy") { [weak self] in self?.root = nil }
    }

    /// Those of the window that `widget` is in; nil for none.
    static func around(_ widget: UnsafeMutablePointer<GtkWidget>) -> WindowLoads? {
        guard let root = gtk_widget_get_root(widget) else { return nil }
        let window = UnsafeMutableRawPointer(root).assumingMemoryBound(to: GtkWidget.self)
        return AssociatedObject.of(key, on: window) { WindowLoads(window) }
    }

    // MARK: Loads

    /// Adds a load, which begins when ``Load/move`` says so.
    ///
    /// - Parameter isLaidOut: Whether the view is already where it will be in the next frame. If it is visible, then its load
    ///   begins at once.
    /// - Returns: Whether the load may begin.
    func add(_ id: ViewLoadID, _ load: Load, isLaidOut: Bool) -> Bool {
        loads[id] = load
        if isLaidOut, !isHeld(load), let root {
            var positions = ViewPositions(in: root)
            loads[id]?.visibility = positions.standing(of: load.widget).visibility(allowsNear: false)
        }
        requestLook()
        return loads[id]?.visibility != .far
    }

    /// Where the view of a load was at the latest look; nil for an unknown load.
    func visibility(of id: ViewLoadID) -> ViewVisibility? { loads[id]?.visibility }

    /// Forgets a load that has ended.
    func remove(_ id: ViewLoadID) {
        guard let load = loads.removeValue(forKey: id) else { return }
        if loads.isEmpty, afterLayout.isEmpty { return stopWatching() }
        // Near ones may begin now.
        if load.visibility == .seen, !isLoadingSeen { requestLook() }
    }

    /// Calls `body` after the next layout.
    func nextLook(_ body: @escaping () -> Void) {
        afterLayout.append(body)
        requestLook()
    }

    // MARK: Looking

    /// Looks after the next layout, or within a second or two in a window without frames.
    func requestLook() {
        guard !loads.isEmpty || !afterLayout.isEmpty else { return }
        guard let root, gtk_widget_get_realized(root) != 0, let clock = gtk_widget_get_frame_clock(root) else { return }
        if layouts == nil {
            // GTK's own handler, which lays the window out, was connected before.
            layouts = SignalConnection(UnsafeMutableRawPointer(clock), "layout") { [weak self] in
                MainThreadTime.measure { self?.look() }
            }
        }
        if watch == nil { watch = FrameWatch { [weak self] in self?.look() } }
        gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_LAYOUT)
    }

    private func look() {
        watch = nil
        for body in afterLayout.take() { body() }
        guard let root, root.isMapped else { return }
        var positions = ViewPositions(in: root)
        let views = loads.map { (id: $0.key, standing: positions.standing(of: $0.value.widget)) }
        let standings = Dictionary(uniqueKeysWithValues: views.map { ($0.id, $0.standing) })
        let isRightToLeft = gtk_widget_get_direction(root) == GTK_TEXT_DIR_RTL
        let isReversed = loads.values.contains(where: isFlyingForwards)
        let order = LoadOrder.sort(views, isRightToLeft: isRightToLeft, isReversed: isReversed)
        for id in order { if let standing = standings[id] { move(id, standing, allowsNear: false) } }
        guard allowsNear else { return }
        for id in order { if let standing = standings[id] { move(id, standing, allowsNear: true) } }
    }

    /// A load that was moved before may have ended this one.
    private func move(_ id: ViewLoadID, _ standing: ViewStanding, allowsNear: Bool) {
        guard let load = loads[id] else { return }
        var visibility = standing.visibility(allowsNear: allowsNear || load.visibility == .near)
        if load.visibility == .far, isHeld(load) { visibility = .far }
        guard visibility != load.visibility else { return }
        loads[id]?.visibility = visibility
        load.move(visibility)
    }

    private func isHeld(_ load: Load) -> Bool {
        load.isPatient && ScrollArea.around(load.widget)?.fastest != nil
    }

    /// Whether a fast scroll brings the last visible views into sight.
    private func isFlyingForwards(_ load: Load) -> Bool {
        ScrollArea.around(load.widget)?.fastest?.direction == .forwards
    }

    // MARK: Near loads

    private var isLoadingSeen: Bool { loads.values.contains { $0.visibility == .seen } }

    /// Near loads begin after the visible ones have ended, or have had their time.
    private var allowsNear: Bool {
        guard isLoadingSeen else {
            seenPatience?.cancel()
            (seenPatience, isPatienceOver) = (nil, false)
            return true
        }
        if seenPatience == nil {
            seenPatience = Task { [weak self, patience] in
                do { try await Task.sleep(for: patience) } catch { return }
                self?.isPatienceOver = true
                self?.requestLook()
            }
        }
        return isPatienceOver
    }

    private func stopWatching() {
        (layouts, watch) = (nil, nil)
    }
}

extension Array {
    fileprivate mutating func take() -> Self {
        defer { self = [] }
        return self
    }
}
