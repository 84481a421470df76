import Synchronization

/// Changes of the disk that were asked for and are not done yet.
///
/// Whoever asks for an entry after storing or removing it gets what was stored, or nothing, without waiting for the disk.
final class StagedWrites: Sendable {
    /// What will stand on disk.
    enum Change: Sendable {
        case stored(DiskCacheEntry)
        /// A picture whose file is still being encoded.
        case encoding(ImageCacheRecord)
        case removed
    }

    private struct State {
        var changes: [CacheKey: (change: Change, ticket: Int)] = [:]
        /// The newest clearing under way: all that is not in `changes` will be gone.
        var clearing: Int?
        var lastTicket = 0
        var generations = GenerationCounts()
        /// Files that are being encoded, with those who wait for that.
        var encodings: [Int: [Countdown]] = [:]

        mutating func makeTicket() -> Int {
            lastTicket += 1
            return lastTicket
        }
    }

    private let state = Mutex(State())

    /// How often what stands under `keys` was replaced or removed; see ``CacheGeneration``.
    func generation(of keys: [CacheKey]) -> Int { state.withLock { $0.generations.generation(of: keys) } }

    /// Notes that something under `key` is replaced or removed, in whatever tier.
    func noteChange(of key: CacheKey) { state.withLock { $0.generations.add(key) } }

    /// Notes that everything is removed from a tier.
    func noteClearing() { state.withLock { $0.generations.addClearing() } }

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
            let ticket = state.makeTicket()
            state.changes[key] = (change, ticket)
            if case .encoding = change { state.encodings[ticket] = [] }
            if case .removed = change { state.generations.add(key) }
            return ticket
        }
    }

    /// Notes a change and names it, unless anything that a load has read was replaced or removed since.
    func begin(_ change: Change, of key: CacheKey, ifStill generation: Int, of keys: [CacheKey]) -> Int? {
        state.withLock { state in
            guard state.generations.generation(of: keys) == generation else { return nil }
            let ticket = state.makeTicket()
            state.changes[key] = (change, ticket)
            return ticket
        }
    }

    /// Whether nothing else was asked for under `key` since.
    func isLatest(_ ticket: Int, of key: CacheKey) -> Bool { state.withLock { $0.changes[key]?.ticket == ticket } }

    /// Notes that a change is done, or failed; a newer one stays noted.
    func end(_ ticket: Int, of key: CacheKey) {
        // What was stored, megabytes perhaps, is let go outside the lock.
        let ended = state.withLock { state in
            state.changes[key]?.ticket == ticket ? state.changes.removeValue(forKey: key)?.change : nil
        }
        withExtendedLifetime(ended) {}
    }

    /// Notes that everything will be removed, and names that.
    func beginClearing() -> Int {
        let (ticket, overtaken) = state.withLock { state in
            let ticket = state.makeTicket()
            defer { state.changes = [:] }
            state.clearing = ticket
            state.generations.addClearing()
            return (ticket, state.changes)
        }
        withExtendedLifetime(overtaken) {}
        return ticket
    }

    /// Notes that everything was removed that was there when `ticket` began.
    func endClearing(_ ticket: Int) {
        state.withLock { if $0.clearing == ticket { $0.clearing = nil } }
    }
}

// MARK: - Encoding

extension StagedWrites {
    /// Notes the file that a picture was encoded to.
    ///
    /// - Returns: Whether it is still to be written: nothing else was asked for under that key since.
    func encoded(_ entry: DiskCacheEntry, _ ticket: Int, of key: CacheKey) -> Bool {
        state.withLock { state in
            guard state.changes[key]?.ticket == ticket else { return false }
            state.changes[key]?.change = .stored(entry)
            return true
        }
    }

    /// Notes that the file of `ticket` is on its way to the disk, or was given up, and tells those who wait for that.
    func endEncoding(_ ticket: Int) {
        let waiting = state.withLock { $0.encodings.removeValue(forKey: ticket) }
        for countdown in waiting ?? [] { countdown.step() }
    }

    /// Calls back when all files that are being encoded now are on their way to the disk; at once when there are none.
    func whenEncoded(_ completion: @escaping @Sendable () -> Void) {
        let isEncoding = state.withLock { state in
            guard !state.encodings.isEmpty else { return false }
            let countdown = Countdown(from: state.encodings.count, completion: completion)
            for ticket in state.encodings.keys { state.encodings[ticket]?.append(countdown) }
            return true
        }
        if !isEncoding { completion() }
    }
}
