import FoundationEssentials
import Synchronization
import WebImageCache
import WebImageCore
import WebImageLoading

/// A cache whose disk answers only when the test says so; memory answers at once, as always.
package final class SuspendedCache: ImageCaching {
    private struct Query: Sendable {
        let key: CacheKey
        let priority: LoadPriority
        let number: Int
    }

    private struct State {
        var memory: [CacheKey: Image] = [:]
        var disk: [CacheKey: DiskCacheEntry] = [:]
        var queries: [Query] = []
        var pending: [Int: @Sendable (Result<DiskCacheEntry?, WebImageError>) -> Void] = [:]
        var heads: [(key: CacheKey, completion: @Sendable (DiskCacheEntry?) -> Void)] = []
        var reads: [CacheKey] = []
        var stores: [CacheKey] = []
        var heldStores: [@Sendable () -> Void] = []
        var removed: [CacheKey] = []
        var nextNumber = 0
    }

    private let state = Mutex(State())
    private let answersAtOnce: Bool
    private let holdsStores: Bool
    private let holdsHeads: Bool
    package let storesThumbHashes: Bool
    private let didStore: @Sendable () -> Void

    /// - Parameters:
    ///   - answersAtOnce: Whether disk queries are answered from ``disk`` without waiting for the test.
    ///   - holdsStores: Whether writes complete only by ``releaseStores()``.
    ///   - holdsHeads: Whether the beginnings of files are read only by ``answerHead()``.
    ///   - didStore: Called at each requested write.
    package init(
        answersAtOnce: Bool = true, holdsStores: Bool = false, holdsHeads: Bool = false,
        storesThumbHashes: Bool = false, didStore: @escaping @Sendable () -> Void = {}
    ) {
        self.answersAtOnce = answersAtOnce
        self.holdsStores = holdsStores
        self.holdsHeads = holdsHeads
        self.storesThumbHashes = storesThumbHashes
        self.didStore = didStore
    }

    package var memory: [CacheKey: Image] { state.withLock { $0.memory } }
    package var disk: [CacheKey: DiskCacheEntry] { state.withLock { $0.disk } }
    /// All disk queries so far.
    package var queries: [CacheKey] { state.withLock { $0.queries.map(\.key) } }
    /// The beginnings of files that are waited for.
    package var heads: [CacheKey] { state.withLock { $0.heads.map(\.key) } }
    /// All reads on the caller's thread so far.
    package var reads: [CacheKey] { state.withLock { $0.reads } }
    /// All writes to disk so far, with repetitions.
    package var stores: [CacheKey] { state.withLock { $0.stores } }
    package var removed: [CacheKey] { state.withLock { $0.removed } }

    package func put(_ data: Data, for key: CacheKey) { put(DiskCacheEntry(data: data), for: key) }

    package func put(_ entry: DiskCacheEntry, for key: CacheKey) { state.withLock { $0.disk[key] = entry } }

    /// Answers the oldest waiting disk query, from ``disk``.
    package func answer() {
        let answer = state.withLock { state -> (() -> Void)? in
            guard let number = state.pending.keys.min(), let completion = state.pending.removeValue(forKey: number)
            else { return nil }
            let entry = state.queries.first { $0.number == number }.flatMap { state.disk[$0.key] }
            return { completion(.success(entry)) }
        }
        answer?()
    }

    /// Reads the beginning of a file that was asked for first.
    package func answerHead() {
        let answer = state.withLock { state -> (() -> Void)? in
            guard !state.heads.isEmpty else { return nil }
            let (key, completion) = state.heads.removeFirst()
            let entry = state.disk[key]
            return { completion(entry) }
        }
        answer?()
    }

    /// Completes all waiting writes.
    package func releaseStores() {
        let held = state.withLock { state in
            defer { state.heldStores = [] }
            return state.heldStores
        }
        for complete in held { complete() }
    }

    package func imageFromMemory(for key: CacheKey) -> Image? { state.withLock { $0.memory[key] } }

    package func imagesFromMemory(of key: CacheKey) -> [Image] {
        state.withLock { $0.memory.filter { $0.key == key || $0.key.original == key }.map(\.value) }
    }

    package func storeInMemory(_ image: Image, for key: CacheKey) { state.withLock { $0.memory[key] = image } }

    package func queryDisk(
        for key: CacheKey, priority: LoadPriority,
        completion: @escaping @Sendable (Result<DiskCacheEntry?, WebImageError>) -> Void
    ) -> any CancellableTask {
        let number = state.withLock { state in
            state.nextNumber += 1
            state.queries.append(Query(key: key, priority: priority, number: state.nextNumber))
            state.pending[state.nextNumber] = completion
            return state.nextNumber
        }
        if answersAtOnce { answer() }
        return Task(cache: self, number: number)
    }

    package func queryHead(for key: CacheKey, completion: @escaping @Sendable (DiskCacheEntry?) -> Void) {
        state.withLock { $0.heads.append((key, completion)) }
        if !holdsHeads { answerHead() }
    }

    package func queryDiskBlocking(for key: CacheKey) throws(WebImageError) -> DiskCacheEntry? {
        state.withLock { state in
            state.reads.append(key)
            return state.disk[key]
        }
    }

    package func storeOnDisk(
        _ entry: DiskCacheEntry, for key: CacheKey, completion: (@Sendable (Result<Void, WebImageError>) -> Void)?
    ) {
        state.withLock { state in
            state.disk[key] = entry
            state.stores.append(key)
            if holdsStores { state.heldStores.append { completion?(.success(())) } }
        }
        if !holdsStores { completion?(.success(())) }
        didStore()
    }

    package func remove(for key: CacheKey, from tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {
        state.withLock { state in
            if tiers.contains(.memory) { state.memory[key] = nil }
            if tiers.contains(.disk) { state.disk[key] = nil }
            state.removed.append(key)
        }
        completion?()
    }

    package func clear(_ tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {
        state.withLock { state in
            if tiers.contains(.memory) { state.memory = [:] }
            if tiers.contains(.disk) { state.disk = [:] }
        }
        completion?()
    }

    private final class Task: CancellableTask {
        private let cache: SuspendedCache
        private let number: Int

        init(cache: SuspendedCache, number: Int) {
            self.cache = cache
            self.number = number
        }

        func cancel() {
            let completion = cache.state.withLock { $0.pending.removeValue(forKey: number) }
            completion?(.failure(.cancelled()))
        }
    }
}
