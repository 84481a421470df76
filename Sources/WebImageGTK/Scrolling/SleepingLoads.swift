import WebImage

/// The loads of views so far away that a look need not ask where they are: a box may have thousands of rows.
///
/// A load sleeps until as much was scrolled as separates its view from the load window. Other changes of the layout may
/// bring a view nearer, too: each frame after a layout asks some of the loads, in turn, until all were asked once.
struct SleepingLoads<Load: Identifiable> where Load.ID: Comparable {
    /// The number asked in turn per frame; it takes a fraction of a microsecond to find whether a view is far away.
    static var share: Int { 2048 }
    /// The number woken in turn per frame; it takes a microsecond or two to find where a view is.
    static var wakingShare: Int { 256 }

    /// The screens scrolled so far by all scrollers of the window, in any direction.
    private var travel = 0.0
    /// The loads, with the whole screens of travel at which each of them wakes.
    private var alarms: [Load.ID: (screens: Int, load: Load)] = [:]
    private var due: [Int: Set<Load.ID>] = [:]
    /// In the order of falling asleep, with some that are awake again.
    private var order: [Load.ID] = []
    /// The positions in `order` of the next turn, and of the end of the turns after the latest layout.
    private var (turn, lastTurn) = (0, 0)

    var isEmpty: Bool { alarms.isEmpty }

    /// Whether loads have not had their turn since the latest layout.
    var hasTurns: Bool { turn < lastTurn }

    mutating func note(scrolled screens: Double) { travel += screens }

    /// Lets a load sleep until so many screens have been scrolled, by all scrollers together.
    mutating func add(_ load: Load, for screens: Double) {
        remove(load.id)
        let alarm = Int(min(travel + screens, 1e15))
        alarms[load.id] = (alarm, load)
        due[alarm, default: []].insert(load.id)
        order.append(load.id)
        compactWhenStale()
    }

    /// Wakes a load; nil if it does not sleep.
    @discardableResult
    mutating func remove(_ id: Load.ID) -> Load? {
        guard let (alarm, load) = alarms.removeValue(forKey: id) else { return nil }
        due[alarm]?.remove(id)
        if due[alarm]?.isEmpty == true { due[alarm] = nil }
        return load
    }

    /// Wakes all.
    mutating func removeAll() -> [Load] {
        let all = alarms.values.map(\.load)
        (alarms, due, order, turn, lastTurn) = ([:], [:], [], 0, 0)
        return all
    }

    /// Something may have moved without a scroll.
    mutating func layoutHasChanged() { lastTurn = order.count }

    /// Wakes the loads that may have come near.
    ///
    /// - Parameter isNear: Whether a load has come near without a scroll: asked about those whose turn it is.
    mutating func wake(isNear: (Load) -> Bool) -> [Load] {
        let ids = due.filter { $0.key <= Int(travel) }.flatMap(\.value)
        return ids.compactMap { remove($0) } + takeTurns(isNear)
    }

    private mutating func takeTurns(_ isNear: (Load) -> Bool) -> [Load] {
        var woken: [Load] = []
        var count = 0
        while count < Self.share, woken.count < Self.wakingShare, hasTurns {
            let id = order[turn]
            turn += 1
            guard let load = alarms[id]?.load else { continue }
            count += 1
            if isNear(load) {
                remove(id)
                woken.append(load)
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
