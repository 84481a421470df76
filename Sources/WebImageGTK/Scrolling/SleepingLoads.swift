import WebImage

/// The loads of views so far away that a look need not ask where they are: a box may have thousands of rows.
///
/// A load sleeps until as much was scrolled as separates its view from the load window. Other changes of the layout may
/// bring a view nearer, too: each frame after a layout asks some of the loads, in turn, until all were asked once.
struct SleepingLoads {
    /// The number asked in turn per frame; it takes a fraction of a microsecond to find whether a view is far away.
    static let share = 2048
    /// The number woken in turn per frame; it takes a microsecond or two to find where a view is.
    static let wakingShare = 256

    /// The screens scrolled so far by all scrollers of the window, in any direction.
    private var travel = 0.0
    /// The whole screens of travel at which each load wakes.
    private var alarms: [ViewLoadID: Int] = [:]
    private var due: [Int: Set<ViewLoadID>] = [:]
    /// In the order of falling asleep, with some that are awake again.
    private var order: [ViewLoadID] = []
    /// The positions in `order` of the next turn, and of the end of the turns after the latest layout.
    private var (turn, lastTurn) = (0, 0)

    /// Whether loads have not had their turn since the latest layout.
    var hasTurns: Bool { turn < lastTurn }

    mutating func note(scrolled screens: Double) { travel += screens }

    /// Lets a load sleep until so many screens have been scrolled, by all scrollers together.
    mutating func add(_ id: ViewLoadID, for screens: Double) {
        remove(id)
        let alarm = Int(min(travel + screens, 1e15))
        alarms[id] = alarm
        due[alarm, default: []].insert(id)
        order.append(id)
        compactWhenStale()
    }

    /// Wakes a load.
    ///
    /// - Returns: Whether it slept.
    @discardableResult
    mutating func remove(_ id: ViewLoadID) -> Bool {
        guard let alarm = alarms.removeValue(forKey: id) else { return false }
        due[alarm]?.remove(id)
        if due[alarm]?.isEmpty == true { due[alarm] = nil }
        return true
    }

    /// Wakes all.
    mutating func removeAll() -> [ViewLoadID] {
        let all = Array(alarms.keys)
        (alarms, due, order, turn, lastTurn) = ([:], [:], [], 0, 0)
        return all
    }

    /// Something may have moved without a scroll.
    mutating func layoutHasChanged() { lastTurn = order.count }

    /// Wakes the loads that may have come near.
    ///
    /// - Parameter isNear: Whether a load has come near without a scroll: asked about those whose turn it is.
    mutating func wake(isNear: (ViewLoadID) -> Bool) -> [ViewLoadID] {
        var woken: [ViewLoadID] = []
        for alarm in due.keys where alarm <= Int(travel) { woken += due[alarm] ?? [] }
        for id in woken { remove(id) }
        return woken + takeTurns(isNear)
    }

    private mutating func takeTurns(_ isNear: (ViewLoadID) -> Bool) -> [ViewLoadID] {
        var woken: [ViewLoadID] = []
        var count = 0
        while count < Self.share, woken.count < Self.wakingShare, hasTurns {
            let id = order[turn]
            turn += 1
            guard alarms[id] != nil else { continue }
            count += 1
            if isNear(id) {
                remove(id)
                woken.append(id)
            } else {
                order.append(id)
            }
        }
        if turn > order.count / 2 {
            order.removeFirst(turn)
            (turn, lastTurn) = (0, lastTurn - turn)
        }
        compactWhenStale()
        return woken
    }

    private mutating func compactWhenStale() {
        guard order.count > 2 * alarms.count + Self.share else { return }
        let hadTurns = hasTurns
        (order, turn) = (alarms.keys.sorted(), 0)
        lastTurn = hadTurns ? order.count : 0
    }
}
