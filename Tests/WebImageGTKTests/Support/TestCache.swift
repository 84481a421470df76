import FoundationEssentials
import Synchronization
import WebImage

/// Two dictionaries as a cache. Its disk answers at once, on the caller's thread.
final class TestCache: ImageCaching {
    private struct State {
        var memory: [CacheKey: Image] = [:]
        var disk: [CacheKey: DiskCacheEntry] = [:]
    }

    private let state = Mutex(State())

    func imageFromMemory(for key: CacheKey) -> Image? { state.withLock { $0.memory[key] } }

    func storeInMemory(_ image: Image, for key: CacheKey) { state.withLock { $0.memory[key] = image } }

    func queryDisk(
        for key: CacheKey, priority: LoadPriority,
        completion: @escaping @Sendable (Result<DiskCacheEntry?, WebImageError>) -> Void
    ) -> any CancellableTask {
        completion(.success(state.withLock { $0.disk[key] }))
        return Answered()
    }

    func storeOnDisk(
        _ entry: DiskCacheEntry, for key: CacheKey, completion: (@Sendable (Result<Void, WebImageError>) -> Void)?
    ) {
        state.withLock { $0.disk[key] = entry }
        completion?(.success(()))
    }

    func remove(for key: CacheKey, from tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {
        state.withLock { state in
            if tiers.contains(.memory) { state.memory[key] = nil }
            if tiers.contains(.disk) { state.disk[key] = nil }
        }
        completion?()
    }

    func clear(_ tiers: ImageCacheType, completion: (@Sendable () -> Void)?) {
        state.withLock { state in
            if tiers.contains(.memory) { state.memory = [:] }
            if tiers.contains(.disk) { state.disk = [:] }
        }
        completion?()
    }

    private final class Answered: CancellableTask {
        func cancel() {}
    }
}
