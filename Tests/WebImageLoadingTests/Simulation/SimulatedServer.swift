import Synchronization

/// The present and former pictures at all addresses.
final class SimulatedServer: Sendable {
    private struct State {
        var versions: [Int]
        let firstVersions: [Int]
        var isRefusing = false
        var hasRefused = false
    }

    private let state: Mutex<State>

    init(addressCount: Int, _ schedule: any Schedule) {
        let versions = (0..<addressCount).map { _ in schedule.random(below: 8) }
        state = Mutex(State(versions: versions, firstVersions: versions))
    }

    var addressCount: Int { state.withLock { $0.versions.count } }

    func picture(at address: Int) -> SimulatedPicture {
        SimulatedPicture(address: address, version: state.withLock { $0.versions[address] })
    }

    func change(_ address: Int) { state.withLock { $0.versions[address] += 1 } }

    func had(_ version: Int, at address: Int) -> Bool {
        state.withLock { ($0.firstVersions[address]...$0.versions[address]).contains(version) }
    }

    /// Whether the manager's delegate refuses all loads at the moment.
    var isRefusing: Bool { state.withLock { $0.isRefusing } }
    var hasRefused: Bool { state.withLock { $0.hasRefused } }

    func toggleRefusal() {
        state.withLock { state in
            state.isRefusing.toggle()
            if state.isRefusing { state.hasRefused = true }
        }
    }
}
