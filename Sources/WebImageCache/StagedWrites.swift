import Synchronization
import WebImageCore

/// Changes of the disk that were requested and are not done yet.
///
/// A query after a store or a removal gets what was stored, or nothing, without waiting for the disk.
final class StagedWrites: Sendable {
    /// The future contents of the disk under a key.
    enum Change: Sendable {
        case stored(DiskCacheEntry)
        /// A picture whose file is still being encoded.
        case encoding(ImageCacheRecord)
        case removed
    }

    private struct State {
        var changes: [CacheKey: (change: Change, ticket: Int)] = [:]
        /// Removals of what was made from a picture that are not done, by its key: of all, or of all but that of a file.
        var families: [CacheKey: (file: String?, ticket: Int)] = [:]
        /// The newest clearing that is not done: all entries that are not in `changes` will be removed.
        var clearing: Int?
        var lastTicket = 0
        var generations = GenerationCounts()
        /// Files that are being encoded, with the completions that wait for that.
        var encodings: [Int: [Countdown]] = [:]

        mutating func makeTicket() -> Int {
            lastTicket += 1
            return lastTicket
        }
    }

    private let state = Mutex(State())

    /// A number that is another one after each change of `keys`; see ``CacheGeneration``.
    func generation(of keys: [CacheKey]) -> Int { state.withLock { $0.generations.generation(of: keys) } }

    /// Notes that an entry of `key` is replaced or removed, in any tier.
    func noteChange(of key: CacheKey) { state.withLock { $0.generations.add(key) } }

    /// Notes that a tier is cleared.
    func noteClearing() { state.withLock { $0.generations.addClearing() } }

    /// The pending change of `key`; nil when none is pending and the disk is up to date.
    func change(of key: CacheKey) -> Change? {
        state.withLock { state in
            let change = state.changes[key]
            // Most of the time no family is being removed.
            if !state.families.isEmpty, key.isDerived, let removal = state.families[key.original],
                removal.file == nil, removal.ticket > change?.ticket ?? 0
            {
                return .removed
            }
            return change?.change ?? (state.clearing == nil ? nil : .removed)
        }
    }

    /// Notes a change, and returns its ticket.
    func begin(_ change: Change, of key: CacheKey) -> Int {
        state.withLock { state in
            let ticket = state.makeTicket()
            state.changes[key] = (change, ticket)
            if case .encoding = change { state.encodings[ticket] = [] }
            if case .removed = change { state.generations.add(key) }
            return ticket
        }
    }

    /// Notes a change and returns its ticket, unless an entry that a load has read was replaced or removed since.
    func begin(_ change: Change, of key: CacheKey, ifStill generation: Int, of keys: [CacheKey]) -> Int? {
        state.withLock { state in
            guard state.generations.generation(of: keys) == generation else { return nil }
            let ticket = state.makeTicket()
            state.changes[key] = (change, ticket)
            return ticket
        }
    }

    /// Whether no other change of `key` was requested since.
    func isLatest(_ ticket: Int, of key: CacheKey) -> Bool { state.withLock { $0.changes[key]?.ticket == ticket } }

    /// Notes that a change is done, or failed; a newer one stays pending.
    func end(_ ticket: Int, of key: CacheKey) {
        // The stored bytes, possibly megabytes, are released outside the lock.
        let ended = state.withLock { state in
            state.changes[key]?.ticket == ticket ? state.changes.removeValue(forKey: key)?.change : nil
        }
        withExtendedLifetime(ended) {}
    }

    /// Notes that what was made from a picture is removed, unless it is of `file`, and returns the ticket.
    func beginRemoval(ofDerivedFrom original: CacheKey, unlessOf file: String?) -> Int {
        let (ticket, overtaken) = state.withLock { state in
            let ticket = state.makeTicket()
            state.families[original] = (file, ticket)
            guard !state.encodings.isEmpty else { return (ticket, [:]) }
            // Their files are written later than the removal.
            let overtaken = state.changes.filter { key, change in
                guard case .encoding = change.change, key.isDerived else { return false }
                return key.original == original
            }
            for key in overtaken.keys { state.changes[key] = nil }
            return (ticket, overtaken)
        }
        withExtendedLifetime(overtaken) {}
        return ticket
    }

    /// Notes that such a removal is done; a newer one stays pending.
    func endRemoval(_ ticket: Int, ofDerivedFrom original: CacheKey) {
        state.withLock { if $0.families[original]?.ticket == ticket { $0.families[original] = nil } }
    }

    /// The file of which alone a picture's thumbnails count, while others wait to be removed; nil otherwise.
    func newFile(of original: CacheKey) -> String? {
        state.withLock { $0.families.isEmpty ? nil : $0.families[original]?.file }
    }

    /// Notes a clearing, and returns its ticket.
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

    /// Notes that the clearing of `ticket` is done.
    func endClearing(_ ticket: Int) {
        state.withLock { if $0.clearing == ticket { $0.clearing = nil } }
    }
}

// MARK: - Encoding

extension StagedWrites {
    /// Notes the file that a picture was encoded to.
    ///
    /// - Returns: Whether to write it: no other change of that key was requested since.
    func encoded(_ entry: DiskCacheEntry, _ ticket: Int, of key: CacheKey) -> Bool {
        state.withLock { state in
            guard state.changes[key]?.ticket == ticket else { return false }
            state.changes[key]?.change = .stored(entry)
            return true
        }
    }

    /// Notes that the file of `ticket` is queued for writing, or was given up, and calls the completions that wait for
    /// that.
    func endEncoding(_ ticket: Int) {
        let waiting = state.withLock { $0.encodings.removeValue(forKey: ticket) }
        for countdown in waiting ?? [] { countdown.step() }
    }

    /// Calls back when all files that are being encoded now are queued for writing; at once when there are none.
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
