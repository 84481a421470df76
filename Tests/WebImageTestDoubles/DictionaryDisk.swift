import Synchronization
import WebImageCore

/// A disk tier that is a dictionary, and tells when it has read.
final class DictionaryDisk: DiskCaching {
    private struct State {
        var entries: [CacheKey: DiskCacheEntry] = [:]
        var hook: (@Sendable () -> Void)?
    }

    let directory: String
    private let state = Mutex(State())

    init(_ directory: String = "") { self.directory = directory }

    var count: Int { state.withLock { $0.entries.count } }

    /// Calls `hook` once, after the next read.
    func didRead(_ hook: @escaping @Sendable () -> Void) { state.withLock { $0.hook = hook } }

    func contains(_ key: CacheKey) -> Bool { state.withLock { $0.entries[key] != nil } }

    func entry(for key: CacheKey) -> DiskCacheEntry? {
        let (entry, hook) = state.withLock { ($0.entries[key], $0.hook.take()) }
        hook?()
        return entry
    }

    func store(_ entry: DiskCacheEntry, for key: CacheKey) { state.withLock { $0.entries[key] = entry } }
    func remove(for key: CacheKey) { state.withLock { $0.entries[key] = nil } }
    func removeAll() { state.withLock { $0.entries = [:] } }
    func removeExpired() {}
    func usage() -> DiskCacheUsage { DiskCacheUsage(count: count, byteCount: 0) }
}
