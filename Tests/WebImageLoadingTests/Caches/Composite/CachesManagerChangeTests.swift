import FoundationEssentials
import Testing
import WebImageCache
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Several caches: storing, removing and looking up a key", .timeLimit(.minutes(5)))
struct CachesManagerChangeTests {
    typealias Policy = ImageCachesManagerOperationPolicy

    private let low = SuspendedCache(holdsStores: true)
    private let high = SuspendedCache(holdsStores: true)
    private let manager: ImageCachesManager
    private let key = CacheKey("https://example.org/a.jpg")
    private let done = Observed(0)

    init() { manager = ImageCachesManager(caches: [low, high]) }

    private func store(_ data: Data = Data("file".utf8)) {
        manager.store(data: data, for: key, context: .coder(ScriptedCoder())) { [done] _ in done.update { $0 += 1 } }
    }

    @Test("S4-29 CM-3 each operation has SDWebImage's policy, until another is set")
    func defaults() {
        #expect(manager.queryOperationPolicy == .serial)
        #expect(manager.storeOperationPolicy == .highestOnly)
        #expect(manager.removeOperationPolicy == .concurrent)
        #expect(manager.containsOperationPolicy == .serial)
        #expect(manager.clearOperationPolicy == .concurrent)
        #expect(Policy.allCases.map(\.rawValue) == [0, 1, 2, 3])
    }

    @Test("S4-29 the shared manager has the shared cache; caches can be added and removed")
    func list() {
        #expect(
            ImageCachesManager.shared.caches.map { CollaboratorIdentity($0) } == [
                CollaboratorIdentity(ImageCache.shared)
            ])
        #expect(ImageCachesManager.shared === ImageCachesManager.shared)
        let third = SuspendedCache()
        manager.add(third)
        manager.add(low)
        #expect(manager.caches.count == 4)
        manager.remove(low)
        #expect(manager.caches.map { CollaboratorIdentity($0) } == [high, third].map { CollaboratorIdentity($0) })
    }

    @Test("T4.51 CM-3 S4-29 stores reach the caches of the policy, memory at once", arguments: Policy.allCases)
    func store(policy: Policy) throws {
        manager.storeOperationPolicy = policy
        manager.storeInMemory(try .sample(), for: key)
        #expect(high.memory.isEmpty == (policy == .lowestOnly))
        #expect(low.memory.isEmpty == (policy == .highestOnly))
        store()
        // In turn: the lower cache waits for the higher one.
        #expect(high.stores.count == (policy == .lowestOnly ? 0 : 1))
        #expect(low.stores.count == ([.concurrent, .lowestOnly].contains(policy) ? 1 : 0))
        high.releaseStores()
        #expect(low.stores.count == (policy == .highestOnly ? 0 : 1))
        #expect(done.value == (policy == .highestOnly ? 1 : 0))
        low.releaseStores()
        #expect(done.value == 1)
    }

    @Test("S4-29 a store that fails in one cache continues in the others, and the failure is reported")
    func failingStore() {
        manager.caches = [low, FailingCache()]
        manager.storeOperationPolicy = .serial
        let outcome = Observed<[WebImageError.Code?]>([])
        manager.store(data: Data("file".utf8), for: key, context: .coder(ScriptedCoder())) { result in
            outcome.update { outcome in
                do throws(WebImageError) {
                    try result.get()
                    outcome.append(nil)
                } catch {
                    outcome.append(error.code)
                }
            }
        }
        low.releaseStores()
        #expect(outcome.value == [.fileFailed])
        #expect(low.disk[key]?.data == Data("file".utf8))
    }

    @Test("T4.52 T4.54 T4.55 removing and clearing reach the caches of the policy", arguments: Policy.allCases)
    func remove(policy: Policy) throws {
        manager.removeOperationPolicy = policy
        manager.clearOperationPolicy = policy
        for cache in [low, high] {
            cache.storeInMemory(try .sample(), for: key)
            cache.put(Data("file".utf8), for: key)
        }
        let (count, completion) = (done, { @Sendable [done] in done.update { $0 += 1 } })
        manager.remove(for: key, from: .disk, completion: completion)
        #expect(count.value == 1)
        #expect(high.disk.isEmpty == (policy != .lowestOnly))
        #expect(low.disk.isEmpty == (policy != .highestOnly))
        #expect(high.memory.count == 1 && low.memory.count == 1)
        manager.clear(.all, completion: completion)
        #expect(count.value == 2)
        #expect(high.memory.isEmpty == (policy != .lowestOnly))
        #expect(low.memory.isEmpty == (policy != .highestOnly))
    }

    @Test("T4.53 CAC-15 an entry in memory and on disk is reported as in memory")
    func containsMemory() async throws {
        high.storeInMemory(try .sample(), for: key)
        high.put(Data("file".utf8), for: key)
        #expect(await manager.contains(key) == .memory)
        #expect(await manager.contains(key, in: .disk) == .disk)
        #expect(await manager.contains(key, in: .noCache) == .noCache)
        #expect(await manager.contains(CacheKey("other")) == .noCache)
    }

    @Test("CM-2 B13 T4.56 T4.57 contains follows its own policy, not that of clearing", arguments: Policy.allCases)
    func containsPolicy(policy: Policy) throws {
        let (low, high) = (SuspendedCache(answersAtOnce: false), SuspendedCache(answersAtOnce: false))
        low.storeInMemory(try .sample(), for: key)
        high.put(Data("file".utf8), for: key)
        manager.caches = [low, high]
        manager.containsOperationPolicy = policy
        manager.clearOperationPolicy = policy == .concurrent ? .serial : .concurrent
        let found = Observed<[ImageCacheType]>([])
        manager.contains(key, in: .all) { tier in found.update { $0.append(tier) } }
        switch policy {
        // The lower cache's memory is faster than the higher one's disk.
        case .concurrent, .lowestOnly: #expect(found.value == [.memory])
        case .serial, .highestOnly: #expect(found.value.isEmpty)
        }
        high.answer()
        #expect(found.value == [[.concurrent, .lowestOnly].contains(policy) ? .memory : .disk])
    }

    @Test("S4-29 complaint 4: any policy, any order of answers: each operation completes once")
    func hammer() async throws {
        let caches = try (0..<3).map { _ in
            let directory = try CacheDirectory()
            return (directory, ImageCache(memoryCache: MemoryCache(), diskCache: directory.cache()))
        }
        let manager = ImageCachesManager(caches: caches.map { $0.1 })
        let coder = ScriptedCoder()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<400 {
                group.addTask {
                    var generator = SeededGenerator(seed: UInt64(number))
                    let policy = Policy.allCases.randomElement(using: &generator) ?? .serial
                    let key = CacheKey("\(number % 7)")
                    switch number % 6 {
                    case 0: manager.queryOperationPolicy = policy
                    case 1: manager.storeOperationPolicy = policy
                    case 2: try? await manager.store(ImageCacheRecord(key, data: ScriptedCoder.file(2, 2)))
                    case 3: _ = await manager.contains(key)
                    case 4:
                        let recorder = QueryRecorder()
                        let token = manager.queryImage(
                            for: key, context: .coder(coder), completion: recorder.completion)
                        if number.isMultiple(of: 4) { token?.cancel() }
                        _ = try? await recorder.ending()
                        #expect(recorder.words.count == 1)
                    default:
                        let removed = Gate()
                        manager.remove(for: key, from: .all) { removed.open() }
                        try? await removed.wait()
                    }
                }
            }
        }
        for (_, cache) in caches { await cache.flush() }
    }
}
