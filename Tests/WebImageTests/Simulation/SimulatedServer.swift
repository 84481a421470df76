import Synchronization

/// What is at the addresses now, and what was there before.
final class SimulatedServer: Sendable {
    private struct State {
        var versions: [Int]
        var isRefusing = false
        var hasRefused = false
    }

    private let state: Mutex<State>

    init(addressCount: Int) { state = Mutex(State(versions: Array(repeating: 0, count: addressCount))) }

    var addressCount: Int { state.withLock { $0.versions.count } }

    func picture(at address: Int) -> SimulatedPicture {
        SimulatedPicture(address: address, version: state.withLock { $0.versions[address] })
    }

    func change(_ address: Int) { state.withLock { $0.versions[address] += 1 } }

    func has(had version: Int, at address: Int) -> Bool { state.withLock { version <= $0.versions[address] } }

    /// The manager's delegate lets nothing be loaded for a time.
    var isRefusing: Bool { state.withLock { $0.isRefusing } }
    var hasRefused: Bool { state.withLock { $0.hasRefused } }

    func toggleRefusal() {
        state.withLock { state in
            state.isRefusing.toggle()
            if state.isRefusing { state.hasRefused = true }
        }
    }
}
