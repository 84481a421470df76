import FoundationEssentials
import WebImage
import WebImageCache
import WebImageCore
import WebImageMemcached

/// The places of results: the node's disk, and the memory that a fleet shares.
///
/// In a fleet, a source has a number that changes when it is purged (its generation), and the names of all entries contain it.
final class ResultStore: Sendable {
    enum Tier: String, Sendable {
        case disk
        case shared
    }

    /// A result, or leave to make it.
    enum Finding: Sendable {
        case made(StoredResult, Tier)
        /// It may be used while it is made anew.
        case outdated(StoredResult, Tier, remake: Leave?)
        case absent(Leave)
        /// Another node makes it.
        case madeElsewhere
    }

    /// Leave to make a result, with where it goes.
    struct Leave: Sendable {
        /// nil where none is known, so that nothing is kept.
        let generation: String?
        let place: EntryPlace?
        /// Whether there is an outdated result, which stays where the work fails.
        var isForRemake = false

        fileprivate var forRemake: Leave {
            var leave = self
            leave.isForRemake = true
            return leave
        }
    }

    /// How long a fleet uses an outdated result that no node makes anew.
    static let outdatedSeconds = 600

    /// How soon another node takes over from one that has died.
    let turnSeconds: Int

    private let disk: ImageCache
    private let fleet: MemcachedTier?
    private let generations = KnownGenerations()

    init(disk: ImageCache, fleet: MemcachedTier?, turnSeconds: Int) {
        self.turnSeconds = turnSeconds
        self.disk = disk
        self.fleet = fleet
    }

    func find(_ recipe: ResultRecipe) async -> Finding { await find(recipe, again: true) }

    /// - Parameter again: Whether to ask once more where an entry has gone because it was too old.
    private func find(_ recipe: ResultRecipe, again: Bool) async -> Finding {
        guard let fleet else { return await findOnDisk(recipe, Leave(generation: "", place: nil)) }
        let (path, folder) = (recipe.key.tierPath, recipe.key.tierFolder)
        guard let (place, turn) = try? await fleet.turn(at: path, seconds: turnSeconds) else {
            return await findOnDisk(recipe, Leave(generation: generations.generation(of: folder), place: nil))
        }
        generations.note(place.generation, of: folder)
        let leave = Leave(generation: place.generation, place: place)
        switch turn {
        case .made(let bytes, let version):
            guard let result = Self.result(bytes, recipe), result.isUsable(at: Date()) else {
                guard again else { return .absent(leave) }
                // The turn is that of the first who asks then.
                try? await fleet.giveUp(at: path, place: place)
                return await find(recipe, again: false)
            }
            guard !result.isFresh(at: Date()) else { return .made(result, .shared) }
            return await outdated(path, recipe, result, version)
        case .outdated(let bytes, let isOurs, let version, let secondsLeft):
            guard let result = Self.result(bytes, recipe) else { return .absent(leave) }
            // The machine whose turn it is renews the time: it has died, or its end of the turn was not heard.
            if !isOurs, let secondsLeft, secondsLeft < Self.outdatedSeconds - 2 * turnSeconds {
                return await outdated(path, recipe, result, version)
            }
            return .outdated(result, .shared, remake: isOurs ? leave.forRemake : nil)
        case .others: return .madeElsewhere
        case .ours: return await takeFromDisk(recipe, leave)
        }
    }

    /// Marks it, and asks for the turn: one of the nodes that find it so makes it anew.
    private func outdated(
        _ path: String, _ recipe: ResultRecipe, _ result: StoredResult, _ version: UInt64
    ) async -> Finding {
        try? await fleet?.markOutdated(at: path, version: version, seconds: Self.outdatedSeconds)
        guard let fleet, let (place, turn) = try? await fleet.turn(at: path, seconds: turnSeconds),
            case .outdated(_, isOurs: true, _, _) = turn
        else { return .outdated(result, .shared, remake: nil) }
        return .outdated(result, .shared, remake: Leave(generation: place.generation, place: place).forRemake)
    }

    /// A result that this node has made before, and the shared memory has lost.
    private func takeFromDisk(_ recipe: ResultRecipe, _ leave: Leave) async -> Finding {
        let finding = await findOnDisk(recipe, leave)
        if case .made(let result, _) = finding { await keepInFleet(result, recipe, leave) }
        return finding
    }

    private func findOnDisk(_ recipe: ResultRecipe, _ leave: Leave) async -> Finding {
        guard let key = recipe.diskKey(leave.generation), let entry = try? await disk.entry(for: key),
            let result = StoredResult(entry), result.keeping == .anywhere, result.isUsable(at: Date())
        else { return .absent(leave) }
        return result.isFresh(at: Date()) ? .made(result, .disk) : .outdated(result, .disk, remake: leave)
    }

    /// A result that was made of this very file; nil for none. For sources that have to be asked before each use.
    func made(of source: SourceFetcher.Source, _ recipe: ResultRecipe, _ leave: Leave) async -> StoredResult? {
        guard let key = recipe.diskKey(leave.generation),
            let result = (try? await disk.entry(for: key)).flatMap({ StoredResult($0) }),
            result.source == source.fingerprint
        else { return nil }
        return result
    }

    private static func result(_ bytes: Data, _ recipe: ResultRecipe) -> StoredResult? {
        DiskCacheEntry(bytes: bytes, for: recipe.key).flatMap { StoredResult($0) }
    }

    // MARK: Keeping

    /// Keeps a result that was made with leave. One of a source that is asked for each use is kept by the node alone.
    func keep(_ result: StoredResult, _ recipe: ResultRecipe, _ leave: Leave) async {
        if result.keeping == .anywhere {
            await keepInFleet(result, recipe, leave)
        } else {
            await giveUp(recipe, leave)
        }
        guard [.anywhere, .asked].contains(result.keeping), let key = recipe.diskKey(leave.generation) else { return }
        try? await disk.store(result.entry, for: key)
    }

    /// Keeps the turn while a result is made, until the task is cancelled.
    func holdTurn(_ recipe: ResultRecipe, _ leave: Leave) async {
        guard let fleet, leave.place != nil else { return }
        let seconds = leave.isForRemake ? Self.outdatedSeconds : turnSeconds
        while (try? await Task.sleep(for: .seconds(Double(turnSeconds) / 3))) != nil {
            try? await fleet.renewTurn(at: recipe.key.tierPath, seconds: seconds)
        }
    }

    private func keepInFleet(_ result: StoredResult, _ recipe: ResultRecipe, _ leave: Leave) async {
        guard let fleet, let place = leave.place, let bytes = try? result.entry.bytes(for: recipe.key) else { return }
        // A tier that does not answer says so itself, once.
        try? await fleet.store(bytes, at: recipe.key.tierPath, place: place)
    }

    /// Lets another node make it.
    func giveUp(_ recipe: ResultRecipe, _ leave: Leave) async {
        guard let fleet, let place = leave.place else { return }
        if leave.isForRemake {
            try? await fleet.markOutdated(at: recipe.key.tierPath, seconds: Self.outdatedSeconds)
        } else {
            try? await fleet.giveUp(at: recipe.key.tierPath, place: place)
        }
    }

    /// Removes a source and all that was made of it, on all nodes.
    ///
    /// - Throws: Where the shared memory does not answer; it hears of it before it is asked for anything else by this node.
    func purge(_ source: CacheKey) async throws {
        await disk.remove(for: source)
        guard let fleet else { return }
        // Also where it fails: the numbers of before are none any more.
        defer { generations.forget(source.tierFolder) }
        try await fleet.remove(at: source.tierFolder)
    }

    /// Removes a source and its results from this node: it was purged while they were made.
    func removeFromDisk(_ source: CacheKey) async { await disk.remove(for: source) }
}

extension ResultRecipe {
    /// The key of the result on a node's disk; nil where nothing is to be kept there.
    func diskKey(_ generation: String?) -> CacheKey? {
        generation.map { $0.isEmpty ? key : sourceKey(of: $0).transformed(key.string) }
    }

    /// The key of the source's own file.
    func sourceKey(of generation: String) -> CacheKey {
        generation.isEmpty ? sourceKey : CacheKey("\(sourceKey.string)#\(generation)")
    }
}
