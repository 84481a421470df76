import Synchronization
import WebImageCore

/// The tiers behind a cache's disk, the nearest first. Their changes are made one after the other, in the order of the
/// requests, and the disk does not wait for them.
final class FartherTiers: Sendable {
    private typealias Job = @Sendable () async -> Void

    private let tiers: [any ImageCacheTier]
    private let jobs: AsyncStream<Job>.Continuation
    private let hasWarned = Atomic(false)
    /// Bytes that wait to be stored, and how many of them may.
    private let waitingBytes = Atomic(0)
    private let mostWaitingBytes: Int
    private let hasWarnedOfDrops = Atomic(false)

    /// nil without any tier.
    init?(_ tiers: [any ImageCacheTier], mostWaitingBytes: Int = 64 << 20) {
        guard !tiers.isEmpty else { return nil }
        self.tiers = tiers
        self.mostWaitingBytes = mostWaitingBytes
        let (stream, jobs) = AsyncStream<Job>.makeStream()
        self.jobs = jobs
        Task { for await job in stream { await job() } }
    }

    deinit { jobs.finish() }

    /// The first entry under `key` that has not expired, and the number of its tier.
    func entry(for key: CacheKey) async -> (entry: DiskCacheEntry, tier: Int)? {
        for (number, tier) in tiers.enumerated() {
            if let entry = await entry(for: key, in: tier), entry.expiresAt.isAhead { return (entry, number) }
        }
        return nil
    }

    /// Makes a change in all tiers, after all earlier ones; a store is dropped where too many bytes wait.
    func make(_ change: CacheChange, completion: @escaping @Sendable () -> Void) {
        let count = if case .fill(_, _, let count) = change { count } else { tiers.count }
        let byteCount = change.byteCount
        guard count > 0, mayWait(byteCount) else { return completion() }
        jobs.yield { [self] in
            for tier in tiers.prefix(count) { await attempt { try await self.make(change, in: tier) } }
            waitingBytes.subtract(byteCount, ordering: .relaxed)
            completion()
        }
    }

    /// Counts bytes that are to be stored, unless there are too many; a store that is larger than the limit may wait alone.
    private func mayWait(_ byteCount: Int) -> Bool {
        let sum = waitingBytes.add(byteCount, ordering: .relaxed).newValue
        if byteCount == 0 || sum <= mostWaitingBytes || sum == byteCount { return true }
        waitingBytes.subtract(byteCount, ordering: .relaxed)
        if !hasWarnedOfDrops.exchange(true, ordering: .relaxed) {
            WebImageLog.warn("a tier of the cache is too slow: it does not get all pictures, since too many bytes wait")
        }
        return false
    }

    /// Calls `completion` after all earlier changes.
    func run(_ completion: @escaping @Sendable () -> Void) { jobs.yield { completion() } }

    private func make(_ change: CacheChange, in tier: any ImageCacheTier) async throws {
        switch change {
        case .store(let entry, let key), .fill(let entry, let key, _):
            guard key.isPicture else { return }
            if !key.isDerived, !change.isFill {
                try await removeFamily(of: key, unlessOf: entry.textOfFingerprint, in: tier)
            }
            try await tier.store(entry.bytes(for: key), at: DiskEntryName(key).tierPath)
        case .remove(let key):
            if key.isPicture { try await tier.remove(at: DiskEntryName(key).tierPath) }
        case .removeDerived(let original, let file):
            if original.isPicture { try await removeFamily(of: original, unlessOf: file, in: tier) }
        case .removeAll: try await tier.remove(at: "")
        }
    }

    /// Removes a picture with all that was made from it, unless the tier has that very file.
    private func removeFamily(
        of original: CacheKey, unlessOf file: String?, in tier: any ImageCacheTier
    ) async throws {
        if let file, await entry(for: original, in: tier)?.textOfFingerprint == file { return }
        try await tier.remove(at: DiskEntryName(original).tierFolder)
    }

    private func entry(for key: CacheKey, in tier: any ImageCacheTier) async -> DiskCacheEntry? {
        await attempt { try await tier.bytes(at: DiskEntryName(key).tierPath) }?
            .flatMap { DiskCacheEntry(bytes: $0, for: key) }
    }

    /// A tier that fails costs no picture.
    @discardableResult
    private func attempt<Value: Sendable>(_ work: @Sendable () async throws -> Value) async -> Value? {
        do {
            return try await work()
        } catch {
            // A query that is cancelled says nothing about the tier, whatever its error.
            if !Task.isCancelled, !(error is CancellationError), !hasWarned.exchange(true, ordering: .relaxed) {
                WebImageLog.warn("a tier of the cache fails, and what it should have is loaded again: \(error)")
            }
            return nil
        }
    }
}

extension DiskEntryName {
    /// The name that a picture and all that was made from it have in common.
    fileprivate var tierFolder: String { String(fileName.prefix(16)) }

    fileprivate var tierPath: String { tierFolder + "/" + fileName }
}

extension CacheKey {
    /// The path of the key's entry in a tier.
    package var tierPath: String { DiskEntryName(self).tierPath }

    /// The name that the paths of a picture and of all that was made from it begin with.
    package var tierFolder: String { DiskEntryName(self).tierFolder }
}
