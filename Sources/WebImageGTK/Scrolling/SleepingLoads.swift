import WebImage

/// The loads of views so far away that a look need not ask where they are: a box may have thousands of rows.
///
/// A load sleeps until as much was scrolled as separates its view from the load window. Other changes of the layout may
/// bring a view nearer, too: each frame after a layout wakes some of the loads, in turn, until all were awake once.
struct SleepingLoads {
    /// The number woken in turn per frame; it takes a microsecond or two to find where a view is.
    static let share = 256

    /// The screens scrolled so far by all scrollers of the window, in any direction.
    private var travel = 0.0
    /// The whole screens of travel at which each load wakes.
    private var alarms: [ViewLoadID: Int] = [:]
    private var due: [Int: Set<ViewLoadID>] = [:]
    /// In the order of falling asleep, with some that are awake again.
    private var order: [ViewLoadID] = []
    /// The position in `order` of the next turn.
    private var turn = 0
    /// The number of loads that have not had their turn since the latest layout.
    private(set) var uncheckedCount = 0

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
        (alarms, due, order, turn, uncheckedCount) = ([:], [:], [], 0, 0)
        return all
    }

    /// Something may have moved without a scroll.
    mutating func layoutHasChanged() { uncheckedCount = alarms.count }

    /// Wakes the loads that may have come near, and those whose turn it is.
    mutating func wake() -> [ViewLoadID] {
        var woken: [ViewLoadID] = []
        for alarm in due.keys where alarm <= Int(travel) { woken += due[alarm] ?? [] }
        for id in woken { remove(id) }
        return woken + takeTurns()
    }

    private mutating func takeTurns() -> [ViewLoadID] {
        var woken: [ViewLoadID] = []
        while woken.count < min(Self.share, uncheckedCount), turn < order.count {
            let id = order[turn]
            turn += 1
            if remove(id) { woken.append(id) }
        }
        uncheckedCount = turn < order.count ? uncheckedCount - woken.count : 0
        if turn > order.count / 2 {
            order.removeFirst(turn)
            turn = 0
        }
        return woken
    }

    private mutating func compactWhenStale() {
        guard order.count > 2 * alarms.count + Self.share else { return }
        order = alarms.keys.sorted()
        turn = 0
        if uncheckedCount > 0 { layoutHasChanged() }
    }
}
