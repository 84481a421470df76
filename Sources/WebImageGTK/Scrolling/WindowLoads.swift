import CGtk4
import WebImage

/// The loads of a window's views in lists and scrollers: begins them when their views are seen or near, in that order.
///
/// It looks at the views once per frame, after the layout. Any earlier is too early: GTK binds some two hundred cells of
/// a list, maps them all when the window appears, and unmaps those outside of the visible part in the layout. The root
/// widget owns it.
final class WindowLoads {
    /// Measures the time that loads of visible views have; tests replace it.
    var clock: any AnimationClock = MainQueueClock.shared
    /// The time that each of them has before loads of near views begin.
    var patience: Duration {
        get { awake.patience }
        set { awake.patience = newValue }
    }

    /// nil once the window is destroyed; loads of views that have left it before may still be here.
    private var root: UnsafeMutablePointer<GtkWidget>?
    /// Those that every look asks for their place; all others sleep.
    private var awake = ViewTurns<LoadTicket>()
    private var sleeping = SleepingLoads<LoadTicket>()
    /// Called after the next layout.
    private var afterLayout: [() -> Void] = []
    private var layouts: SignalConnection?
    private var watch: FrameWatch?
    /// The next frame, for the turns of loads that sleep.
    private var nextTurns: FrameTicks?
    /// Whether that frame asks for the next look.
    private var isTurn = false
    /// The time at which near loads may begin.
    private var later: (any CancellableTask)?
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

    /// Adds a load, which is moved when it may begin.
    ///
    /// - Parameter isLaidOut: Whether the view is already where it will be in the next frame. If it is visible, then its load
    ///   begins at once.
    /// - Returns: Whether the load may begin.
    func add(_ ticket: LoadTicket, isLaidOut: Bool) -> Bool {
        if isLaidOut, let root {
            var positions = ViewPositions(in: root)
            ticket.turn.move(to: positions.standing(of: ticket.widget), at: clock.now, allowsNear: false)
        }
        awake.add(ticket)
        requestLook()
        return ticket.turn.visibility != .far
    }

    /// Forgets a load that has ended.
    func remove(_ ticket: LoadTicket) {
        awake.remove(ticket.id)
        sleeping.remove(ticket.id)
        if ticket.turn.seenSince != nil, awake.timeOfNear(at: clock.now) == nil { requestLook() }
        if isIdle { stopWatching() }
    }

    /// The view of a load was mapped.
    func wake(_ ticket: LoadTicket) {
        if sleeping.remove(ticket.id) != nil { awake.add(ticket) }
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
        for ticket in sleeping.removeAll() { awake.add(ticket) }
        requestLook()
    }

    /// Looks after the next layout, or within a second or two in a window without frames.
    func requestLook() {
        guard !isIdle else { return }
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
        let tickets = awake.loads.values.sorted { $0.id < $1.id }
        var positions = ViewPositions(in: root, of: tickets.map(\.widget))
        let views = tickets.map { (ticket: $0, standing: positions.standing(of: $0.widget)) }
        lookedAtCount = views.count
        let near = views.filter { !letSleep($0.ticket, $0.standing) }.map { (id: $0.ticket.id, standing: $0.standing) }
        awake.look(at: near, isRightToLeft: gtk_widget_get_direction(root) == GTK_TEXT_DIR_RTL)
        while let (ticket, visibility) = awake.next(at: clock.now) { ticket.move(to: visibility) }
        later?.cancel()
        later = awake.timeOfNear(at: clock.now).map { time in
            clock.call(at: time) { [weak self] in self?.requestLook() }
        }
    }

    private var isIdle: Bool { awake.loads.isEmpty && sleeping.isEmpty && afterLayout.isEmpty }

    private func stopWatching() {
        (layouts, watch) = (nil, nil)
    }
}

// MARK: - Loads far away

extension WindowLoads {
    private func wakeSome(around root: UnsafeMutablePointer<GtkWidget>) {
        if !isTurn { sleeping.layoutHasChanged() }
        isTurn = false
        let positions = ViewPositions(in: root)
        let woken = sleeping.wake { positions.screensToWindow(of: $0.widget) < Self.screensOfSleep }
        for ticket in woken { awake.add(ticket) }
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
    ///
    /// - Returns: Whether the load sleeps now: not before it was taken back.
    private func letSleep(_ ticket: LoadTicket, _ standing: ViewStanding) -> Bool {
        guard ticket.turn.visibility == .far, !ticket.isInRecyclingList else { return false }
        guard standing.screensToWindow >= Self.screensOfSleep else { return false }
        awake.remove(ticket.id)
        sleeping.add(ticket, for: standing.screensToWindow)
        return true
    }
}

extension Array {
    fileprivate mutating func take() -> Self {
        defer { self = [] }
        return self
    }
}
