import Dispatch
import FoundationEssentials
import WebImageCache

/// A tier of a cache in the memory of memcached servers, which several machines share.
///
/// ```swift
/// var config = ImageCacheConfig()
/// config.fartherTiers = [
///     MemcachedTier(servers: [MemcachedServer(host: "10.0.0.7"), MemcachedServer(host: "10.0.0.8", weight: 2)])
/// ]
/// ```
/// All entries of a picture are on one server, by consistent hashing: with a server more or less, only its share of the pictures
/// moves. A server that does not answer is left out, and asked again later; to a load that is a miss. What is removed while a
/// server does not answer is removed there before it is asked for anything else.
///
/// memcached 1.6 or newer (the meta protocol), over TCP, without TLS and passwords: for a network of its own. The rights of an
/// entry are in its bytes, so that no load gets what was fetched with credentials that it does not have. Any thread.
public final class MemcachedTier: ImageCacheTier {
    private let ring: HashRing
    private let nodes: [MemcachedNode]
    let settings: MemcachedSettings
    /// Calls of it wait for the network.
    private let queue = DispatchQueue(label: "webimage.memcached", attributes: .concurrent)

    /// - Parameters:
    ///   - servers: In any order, which may differ between machines. Without any, all queries are misses.
    ///   - settings: By default those of ``MemcachedSettings/init()``.
    public convenience init(servers: [MemcachedServer], settings: MemcachedSettings = MemcachedSettings()) {
        self.init(servers: servers, settings: settings) { .now }
    }

    /// - Parameter now: The time, by which servers that were left out are asked again.
    init(
        servers: [MemcachedServer], settings: MemcachedSettings,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        ring = HashRing(servers)
        nodes = ring.servers.map { MemcachedNode($0, settings, now: now) }
        self.settings = settings
    }

    /// The entry's bytes; nil for none. Throws where the server does not answer.
    public func bytes(at path: String) async throws -> Data? {
        try await onQueue { [self] in
            // The content begins in the middle of its answer; that of a tier begins at index 0.
            try read(EntryName(path, settings)).map { $0.withUnsafeBytes { Data($0) } }
        }
    }

    /// Stores them, where they are not too many. Throws where the server does not answer, or has no room for them.
    public func store(_ bytes: Data, at path: String) async throws {
        try await onQueue { [self] in try write(bytes, at: EntryName(path, settings)) }
    }

    /// Removes an entry, those of a picture, or all. Throws where a server does not answer, which hears of it later.
    public func remove(at path: String) async throws {
        try await onQueue { [self] in
            if path.isEmpty { return try removeAll() }
            try remove(EntryName(path, settings))
        }
    }

    /// Runs work that waits for the network: on one of Swift's few threads, a slow server would stop all other tasks.
    func onQueue<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try work() }) }
        }
    }

    func node(of name: EntryName) -> MemcachedNode? { ring.owner(of: name.group).map { nodes[$0] } }
}

// MARK: - Entries

// An entry counts only as long as two numbers are what they were when it was stored: the generation of its picture, and that of
// all. A removal changes a number, so that it needs no list of what there is. All three are on one server, and are read by one
// request.
extension MemcachedTier {
    private func read(_ name: EntryName) throws(TierFailure) -> Data? {
        guard let node = node(of: name) else { return nil }
        return try node.asked { node throws(MemcachedFailure) in
            let replies = try node.exchange([.get(name.allKey), .get(name.groupKey), .get(name.entryKey)])
            guard let generations = Generations(replies[0], replies[1]), replies[2].status == .value else { return nil }
            return generations.content(of: replies[2].data)
        }
    }

    private func write(_ bytes: Data, at name: EntryName) throws(TierFailure) {
        guard let node = node(of: name), bytes.count <= settings.maximumByteCount else { return }
        let seconds = settings.expiry
        try node.asked { node throws(MemcachedFailure) in
            let generations = try generations(name, on: node)
            let data = generations.header + Array(bytes)
            _ = try node.exchange([.set(name.entryKey, data, seconds: seconds)])
        }
    }

    /// The generations of a picture, which begin with a number that was none before.
    func generations(_ name: EntryName, on node: MemcachedNode) throws(MemcachedFailure) -> Generations {
        let keys = [name.allKey, name.groupKey]
        let replies = try node.exchange(keys.map { .get($0) })
        if let generations = Generations(replies[0], replies[1]) { return generations }
        // Another machine may add them at the same time: what is there afterwards counts.
        let added = try node.exchange(keys.map { .set($0, Generations.fresh, mode: .add) } + keys.map { .get($0) })
        guard let generations = Generations(added[2], added[3]) else { throw .refused("it keeps nothing") }
        return generations
    }

    private func remove(_ name: EntryName) throws(TierFailure) {
        try node(of: name)?.asked { node throws(MemcachedFailure) in
            if name.isGroup {
                try node.change(
                    name.groupKey, by: .set(name.groupKey, Generations.fresh), orElse: Self.everything(name.allKey))
            } else {
                try node.change(name.entryKey, by: .delete(name.entryKey), orElse: Self.everything(name.allKey))
            }
        }
    }

    /// Goes to all servers, also behind one that fails.
    private func removeAll() throws(TierFailure) {
        var failure: TierFailure?
        for node in nodes {
            do throws(TierFailure) {
                let all = Self.everything(EntryName.allKey(settings))
                try node.asked { node throws(MemcachedFailure) in try node.change(all.key, by: all.command, orElse: all)
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    private static func everything(_ key: String) -> (key: String, command: MetaCommand) {
        (key, .set(key, Generations.fresh))
    }
}

/// The failure of a tier, with the name of its server.
struct TierFailure: Error, Equatable, CustomStringConvertible {
    let server: String
    let failure: MemcachedFailure

    var description: String { "the memcached \(server): \(failure.text)" }
}

extension MemcachedNode {
    func asked<Value>(
        _ work: (MemcachedNode) throws(MemcachedFailure) -> Value
    ) throws(TierFailure) -> Value {
        do throws(MemcachedFailure) {
            return try work(self)
        } catch {
            throw TierFailure(server: server.name, failure: error)
        }
    }
}
