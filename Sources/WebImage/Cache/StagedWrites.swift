import Synchronization

/// Changes of the disk that were asked for and are not done yet.
///
/// Whoever asks for an entry after storing or removing it gets what was stored, or nothing, without waiting for the disk.
final class StagedWrites: Sendable {
    /// What will stand on disk.
    enum Change: Sendable {
        case stored(DiskCacheEntry)
        case removed
    }

    private struct State {
        var changes: [CacheKey: (change: Change, ticket: Int)] = [:]
        /// The newest clearing under way: all that is not in `changes` will be gone.
        var clearing: Int?
        var lastTicket = 0
    }

    private let state = Mutex(State())

    /// What will stand under `key`; nil when nothing is under way and the disk itself tells.
    func change(of key: CacheKey) -> Change? {
        state.withLock { state in
            if let change = state.changes[key]?.change { return change }
            return state.clearing == nil ? nil : .removed
        }
    }

    /// Notes a change, and names it.
    func begin(_ change: Change, of key: CacheKey) -> Int {
        state.withLock { state in
            state.lastTicket += 1
            state.changes[key] = (change, state.lastTicket)
            return state.lastTicket
        }
    }

    /// Notes that a change is done, or failed; a newer one stays noted.
    func end(_ ticket: Int, of key: CacheKey) {
        state.withLock { if $0.changes[key]?.ticket == ticket { $0.changes[key] = nil } }
    }

    /// Notes that everything will be removed, and names that.
    func beginClearing() -> Int {
        state.withLock { state in
            state.lastTicket += 1
            state.changes = [:]
            state.clearing = state.lastTicket
            return state.lastTicket
        }
    }

    /// Notes that everything was removed that was there when `ticket` began.
    func endClearing(_ ticket: Int) {
        state.withLock { if $0.clearing == ticket { $0.clearing = nil } }
    }
}
