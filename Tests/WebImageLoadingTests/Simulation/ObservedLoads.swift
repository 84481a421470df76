import Synchronization

/// All loads of a simulation.
final class ObservedLoads: Sendable {
    private let schedule: any Schedule
    private let loads = Mutex<[ObservedLoad]>([])
    private let isCancellingAll = Mutex(0)

    init(_ schedule: any Schedule) { self.schedule = schedule }

    var all: [ObservedLoad] { loads.withLock { $0 } }
    var requests: [SimulatedRequest] {
        Array(Dictionary(all.map { (ObjectIdentifier($0.request), $0.request) }) { first, _ in first }.values)
    }
    var running: [ObservedLoad] { all.filter { !$0.isSettled } }

    func add(_ make: (Int) -> ObservedLoad) -> ObservedLoad {
        let load = loads.withLock { loads in
            let load = make(loads.count)
            loads.append(load)
            return load
        }
        if isCancellingAll.withLock({ $0 > 0 }) { load.mayBeCancelled() }
        return load
    }

    /// Calls `cancel`, which cancels all loads, including those that begin on other threads meanwhile.
    func cancelAll(by cancel: () -> Void) {
        isCancellingAll.withLock { $0 += 1 }
        for load in running { load.mayBeCancelled() }
        cancel()
        isCancellingAll.withLock { $0 -= 1 }
    }

    func checkWanted(_ picture: SimulatedPicture, by work: String) {
        guard schedule.isStepped else { return }
        let isWanted = all.contains { $0.wish.address == picture.address && $0.mayWork }
        schedule.check(isWanted, "\(work) of \(picture), which no load needs")
    }
}
