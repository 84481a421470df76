import FoundationEssentials

/// The place of an entry that one machine of a fleet makes, while the others wait.
package struct EntryPlace: Sendable, Equatable {
    /// The numbers by which the entry will count: it does not where it has been removed meanwhile.
    let generations: Generations
    /// The version of the mark that this machine makes it; nil for another place.
    var version: UInt64?

    /// The same for all machines, and another one after a removal.
    package var generation: String { generations.header.map { String($0, radix: 36) }.joined(separator: ".") }
}

extension EntryPlace {
    fileprivate func marked(_ reply: MetaReply) -> EntryPlace {
        EntryPlace(generations: generations, version: reply.version)
    }
}

/// An entry, or who makes it.
package enum EntryTurn: Sendable, Equatable {
    case made(Data, version: UInt64)
    /// It is to be made anew, and may be used meanwhile.
    ///
    /// - Parameters:
    ///   - isOurs: Whether this machine makes it.
    ///   - secondsLeft: For which it may be used, as long as no machine renews that; nil for any time.
    case outdated(Data, isOurs: Bool, version: UInt64, secondsLeft: Int?)
    /// There is none, and this machine makes it: it stores it, or gives the place up.
    case ours
    /// There is none, and another machine makes it.
    case others
}

// memcached gives leave to make a value to the first who asks for it ("mg … N"), and takes it back after some seconds: so the
// machine that makes it may die.
extension MemcachedTier {
    /// The entry at `path`, or whose turn it is to make it.
    ///
    /// - Parameter seconds: How long a machine has for it before another one's turn comes.
    /// - Returns: nil without servers.
    package func turn(at path: String, seconds: Int) async throws -> (place: EntryPlace, turn: EntryTurn)? {
        try await onQueue { [self] in try turn(EntryName(path, settings), seconds) }
    }

    /// Stores an entry at its place; without effect for readers where it has been removed since the place was taken.
    package func store(_ bytes: Data, at path: String, place: EntryPlace) async throws {
        try await onQueue { [self] in
            let name = EntryName(path, settings)
            guard bytes.count <= settings.maximumByteCount else { return try giveUp(name, place) }
            try exchange(
                [.set(name.entryKey, place.generations.header + Array(bytes), seconds: settings.expiry)], about: name)
        }
    }

    /// Gives this machine `seconds` more for making an entry.
    package func renewTurn(at path: String, seconds: Int) async throws {
        try await onQueue { [self] in
            let name = EntryName(path, settings)
            try exchange([.touch(name.entryKey, seconds: Self.expiry(of: seconds))], about: name)
        }
    }

    /// memcached's clock has whole seconds, the first of which may end at once.
    private static func expiry(of seconds: Int) -> Int { seconds + 1 }

    /// Lets another machine make the entry, unless one has already.
    package func giveUp(at path: String, place: EntryPlace) async throws {
        try await onQueue { [self] in try giveUp(EntryName(path, settings), place) }
    }

    /// Marks an entry as outdated, unless another machine has: the next reader's turn is to make it.
    ///
    /// - Parameters:
    ///   - version: Only this one; nil for any.
    ///   - seconds: How long it may be used meanwhile.
    package func markOutdated(at path: String, version: UInt64? = nil, seconds: Int) async throws {
        try await onQueue { [self] in
            let name = EntryName(path, settings)
            try exchange([.markStale(name.entryKey, version: version, seconds: seconds)], about: name)
        }
    }

    private func giveUp(_ name: EntryName, _ place: EntryPlace) throws(TierFailure) {
        guard let version = place.version else { return }
        try exchange([.delete(name.entryKey, version: version)], about: name)
    }

    private func exchange(_ commands: [MetaCommand], about name: EntryName) throws(TierFailure) {
        try node(of: name)?.asked { node throws(MemcachedFailure) in _ = try node.exchange(commands) }
    }

    private func turn(
        _ name: EntryName, _ seconds: Int
    ) throws(TierFailure) -> (place: EntryPlace, turn: EntryTurn)? {
        guard let node = node(of: name) else { return nil }
        return try node.asked { node throws(MemcachedFailure) in
            let entry = MetaCommand.get(name.entryKey, recacheSeconds: Self.expiry(of: seconds))
            let replies = try node.exchange([.get(name.allKey), .get(name.groupKey), entry])
            let known = Generations(replies[0], replies[1])
            let generations = if let known { known } else { try generations(name, on: node) }
            let place = EntryPlace(generations: generations)
            if let turn = EntryTurn(replies[2], generations) { return (place.marked(replies[2]), turn) }
            // An entry of before a removal. It goes, and the turn is that of the first who asks then.
            let version = replies[2].version
            let again = try node.exchange([.delete(name.entryKey, version: version), entry])
            return (place.marked(again[1]), EntryTurn(again[1], generations) ?? .others)
        }
    }
}

extension EntryTurn {
    /// nil for an entry that does not count.
    fileprivate init?(_ reply: MetaReply, _ generations: Generations) {
        let content = generations.content(of: reply.data)
        switch content {
        case let content? where reply.isStale:
            self = .outdated(
                content, isOurs: reply.wins, version: reply.version ?? 0, secondsLeft: reply.secondsLeft)
        case let content?: self = .made(content, version: reply.version ?? 0)
        case nil where reply.data.isEmpty && reply.wins: self = .ours
        case nil where reply.data.isEmpty && reply.isBeingMade: self = .others
        case nil: return nil
        }
    }
}
