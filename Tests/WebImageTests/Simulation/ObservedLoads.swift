import Synchronization

/// All loads of a simulation.
final class ObservedLoads: Sendable {
    private let schedule: any Schedule
    private let loads = Mutex<[ObservedLoad]>([])

    init(_ schedule: any Schedule) { self.schedule = schedule }

    var all: [ObservedLoad] { loads.withLock { $0 } }
    var running: [ObservedLoad] { all.filter { !$0.isSettled } }

    func add(_ make: (Int) -> ObservedLoad) -> ObservedLoad {
        loads.withLock { loads in
            let load = make(loads.count)
            loads.append(load)
            return load
        }
    }

    func checkWanted(_ picture: SimulatedPicture, by work: String) {
        guard schedule.isStepped else { return }
        let isWanted = all.contains { $0.wish.address == picture.address && $0.mayWork }
        schedule.check(isWanted, "\(work) of \(picture), which nobody wants")
    }
}
