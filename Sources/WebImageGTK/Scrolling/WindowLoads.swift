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
        /// Whether its view is in a list that makes cells for visible items and for some more.
        let isInRecyclingList: Bool
        let move: @MainActor (ViewVisibility) -> Void
        var visibility = ViewVisibility.far
    }

    /// The time that each load of a visible view has before those of near ones begin, whether it has ended or not.
    var patience = Duration.seconds(1)
    /// Measures it; tests replace it.
    var clock: any Clock<Duration> = ContinuousClock()

    /// nil once the window is destroyed; loads of views that have left it before may still be here.
    private var root: UnsafeMutablePointer<GtkWidget>?
    private var loads: [ViewLoadID: Load] = [:]
    /// Those that every look asks for their place; all others sleep.
    private var awake: Set<ViewLoadID> = []
    private var sleeping = SleepingLoads()
    /// Called after the next layout.
    private var afterLayout: [() -> Void] = []
    private var layouts: SignalConnection?
    private var watch: FrameWatch?
    /// The next frame, for the turns of loads that sleep.
    private var nextTurns: FrameTicks?
    /// Whether that frame asks for the next look.
    private var isTurn = false
    /// The loads of visible views whose time is not over: near ones wait for them.
    private var timers: [ViewLoadID: Task<Void, Never>] = [:]
    /// The number of views that the latest look has asked for their place.
    private(set) var lookedAtCount = 0

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
        awake.insert(id)
        if isLaidOut, let root {
            var positions = ViewPositions(in: root)
            set(visibility(of: load, positions.standing(of: load.widget), allowsNear: false), of: id)
        }
        requestLook()
        return loads[id]?.visibility != .far
    }

    /// The place of a load's view at the latest look; nil for an unknown load.
    func visibility(of id: ViewLoadID) -> ViewVisibility? { loads[id]?.visibility }

    /// Forgets a load that has ended.
    func remove(_ id: ViewLoadID) {
        guard loads.removeValue(forKey: id) != nil else { return }
        awake.remove(id)
        sleeping.remove(id)
        endTimer(of: id)
        if loads.isEmpty, afterLayout.isEmpty { stopWatching() }
    }

    /// The view of a load was mapped.
    func wake(_ id: ViewLoadID) {
        if sleeping.remove(id) { awake.insert(id) }
        requestLook()
    }

    /// Calls `body` after the next layout.
    func nextLook(_ body: @escaping () -> Void) {
        afterLayout.append(body)
        requestLook()
    }

    /// A scroller of the window has moved.
    func note(scrolled screens: Double) { sleeping.note(scrolled: screens) }

    // MARK: Looking

    /// Looks at all views after the next layout.
    func requestFullLook() {
        awake.formUnion(sleeping.removeAll())
        requestLook()
    }

    /// Looks after the next layout, or within a second or two in a window without frames.
    func requestLook() {
        guard !loads.isEmpty || !afterLayout.isEmpty else { return }
        guard let root, gtk_widget_get_realized(root) != 0, let clock = gtk_widget_get_frame_clock(root) else { return }
        if layouts == nil {
            // After GTK's own handlers, which lay out the window and its popovers; those of a popover are connected when
            // it appears.
            layouts = SignalConnection(UnsafeMutableRawPointer(clock), "layout", isLast: true) { [weak self] in
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
        wakeSome(around: root)
        let waiting = awake.sorted().compactMap { loads[$0]?.widget }
        var positions = ViewPositions(in: root, of: waiting)
        let views = awake.compactMap { id in loads[id].map { (id: id, standing: positions.standing(of: $0.widget)) } }
        lookedAtCount = views.count
        let standings = Dictionary(uniqueKeysWithValues: views.map { ($0.id, $0.standing) })
        let isRightToLeft = gtk_widget_get_direction(root) == GTK_TEXT_DIR_RTL
        let order = LoadOrder.sort(views, isRightToLeft: isRightToLeft)
        move(order.compactMap { id in standings[id].map { (id: id, standing: $0) } })
    }

    /// Visible views first: only then it is known whether near ones wait.
    private func move(_ views: [(id: ViewLoadID, standing: ViewStanding)]) {
        let others = views.filter { !$0.standing.isVisible }
        for view in others { timers.removeValue(forKey: view.id)?.cancel() }
        for view in views where view.standing.isVisible { move(view.id, view.standing, allowsNear: false) }
        let allowsNear = timers.isEmpty
        for view in others { move(view.id, view.standing, allowsNear: allowsNear) }
        for view in others { letSleep(view.id, view.standing) }
    }

    /// A load that was moved before may have ended this one.
    private func move(_ id: ViewLoadID, _ standing: ViewStanding, allowsNear: Bool) {
        guard let load = loads[id] else { return }
        // A load that has begun goes on while its view is near, also when that has just gone out of sight.
        let visibility = visibility(of: load, standing, allowsNear: allowsNear || load.visibility != .far)
        guard visibility != load.visibility else { return }
        set(visibility, of: id)
        load.move(visibility)
    }

    private func visibility(of load: Load, _ standing: ViewStanding, allowsNear: Bool) -> ViewVisibility {
        let isHeld = load.visibility == .far && load.isPatient && standing.isFlying
        return isHeld ? .far : standing.visibility(allowsNear: allowsNear)
    }

    private func set(_ visibility: ViewVisibility, of id: ViewLoadID) {
        loads[id]?.visibility = visibility
        if visibility == .seen { startTimer(of: id) } else { endTimer(of: id) }
    }

    private func stopWatching() {
        (layouts, watch) = (nil, nil)
    }
}

// MARK: - Near loads

extension WindowLoads {
    private func startTimer(of id: ViewLoadID) {
        timers[id] = Task { [weak self, clock, patience] in
            do { try await clock.sleep(for: patience) } catch { return }
            self?.endTimer(of: id)
        }
    }

    /// Near loads may begin after the last of them.
    private func endTimer(of id: ViewLoadID) {
        guard let timer = timers.removeValue(forKey: id) else { return }
        timer.cancel()
        if timers.isEmpty { requestLook() }
    }
}

// MARK: - Loads far away

extension WindowLoads {
    private func wakeSome(around root: UnsafeMutablePointer<GtkWidget>) {
        if !isTurn { sleeping.layoutHasChanged() }
        isTurn = false
        let positions = ViewPositions(in: root)
        awake.formUnion(
            sleeping.wake { id in
                loads[id].map { positions.screensToWindow(of: $0.widget) < Self.screensOfSleep } ?? false
            })
        guard sleeping.hasTurns, nextTurns == nil else { return }
        nextTurns = FrameTicks(of: root) { [weak self] _ in
            self?.nextTurns = nil
            self?.isTurn = true
            self?.requestLook()
            return false
        }
    }

    /// The least distance from the load window, in screens, of loads that sleep.
    private static var screensOfSleep: Double { 1 }

    /// Lists make some hundred cells in all, whose distance counts no further than to the last of them.
    private func letSleep(_ id: ViewLoadID, _ standing: ViewStanding) {
        guard let load = loads[id], load.visibility == .far, !load.isInRecyclingList else { return }
        guard standing.screensToWindow >= Self.screensOfSleep else { return }
        awake.remove(id)
        sleeping.add(id, for: standing.screensToWindow)
    }
}

extension Array {
    fileprivate mutating func take() -> Self {
        defer { self = [] }
        return self
    }
}
