import FoundationEssentials
import Testing
import WebImageCache
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Several caches: looking for a picture", .timeLimit(.minutes(5)))
struct CachesManagerQueryTests {
    private let fixture = CachesFixture()
    private var low: SuspendedCache { fixture.low }
    private var high: SuspendedCache { fixture.high }
    private var manager: ImageCachesManager { fixture.manager }
    private var recorder: QueryRecorder { fixture.recorder }
    private var key: CacheKey { fixture.key }

    @Test("S4-29 serial: a cache is queried when the one above it has missed")
    func serial() async throws {
        low.put(fixture.file(1), for: key)
        fixture.query()
        #expect(high.queries.count == 1 && low.queries.isEmpty)
        high.answer()
        #expect(low.queries.count == 1)
        low.answer()
        #expect(try await recorder.ending() == ["disk 1x1 with data"])
        #expect(low.memory.count == 1)
    }

    @Test("S4-29 serial: the highest hit ends the search")
    func serialHit() async throws {
        low.put(fixture.file(1), for: key)
        high.put(fixture.file(2), for: key)
        fixture.query()
        high.answer()
        #expect(try await recorder.ending() == ["disk 2x1 with data"])
        #expect(low.queries.isEmpty)
    }

    @Test("CM-4 a hit in a lower cache is not written to a higher one")
    func noBackFill() async throws {
        low.put(fixture.file(1), for: key)
        fixture.query()
        high.answer()
        low.answer()
        _ = try await recorder.ending()
        #expect(high.memory.isEmpty && high.stores.isEmpty && high.disk.isEmpty)
    }

    @Test("S4-29 concurrent: all are queried at once, the first hit wins, and the others are cancelled")
    func concurrent() async throws {
        manager.queryOperationPolicy = .concurrent
        low.put(fixture.file(1), for: key)
        high.put(fixture.file(2), for: key)
        fixture.query()
        #expect(high.queries.count == 1 && low.queries.count == 1)
        low.answer()
        #expect(try await recorder.ending() == ["disk 1x1 with data"])
        high.answer()
        #expect(recorder.words.count == 1)
        // Cancelled before the read: nothing was decoded for it.
        #expect(high.memory.isEmpty)
    }

    @Test("S4-29 concurrent: a miss does not win, and if all miss, there is none")
    func concurrentMiss() async throws {
        manager.queryOperationPolicy = .concurrent
        low.put(fixture.file(1), for: key)
        fixture.query()
        high.answer()
        #expect(recorder.words.isEmpty)
        low.answer()
        #expect(try await recorder.ending() == ["disk 1x1 with data"])

        low.remove(for: key, from: .all, completion: nil)
        fixture.query()
        low.answer()
        high.answer()
        #expect(try await recorder.endings(2) == ["disk 1x1 with data", "none"])
    }

    @Test(
        "T4.55 highest only and lowest only query one cache; memory answers at once",
        arguments: [ImageCachesManagerOperationPolicy.highestOnly, .lowestOnly])
    func one(policy: ImageCachesManagerOperationPolicy) async throws {
        manager.queryOperationPolicy = policy
        low.storeInMemory(try .sample(width: 1), for: key)
        high.storeInMemory(try .sample(width: 2), for: key)
        #expect(fixture.query() == nil)
        #expect(recorder.words == [policy == .lowestOnly ? "memory 1x1" : "memory 2x1"])
        #expect(manager.imageFromMemory(for: key)?.pixelSize.width == (policy == .lowestOnly ? 1 : 2))
        fixture.query(cacheType: .disk)
        (policy == .lowestOnly ? low : high).answer()
        #expect(try await recorder.endings(2).last == "none")
        #expect((policy == .lowestOnly ? high : low).queries.isEmpty)
    }

    @Test("T4.49 a query that stores on disk only puts nothing into memory")
    func promotion() async throws {
        high.put(fixture.file(2), for: key)
        fixture.query { $0.storeCacheType = .disk }
        high.answer()
        #expect(try await recorder.ending() == ["disk 2x1 with data"])
        #expect(high.memory.isEmpty)
    }

    @Test("T4.50 memory answers before the call returns, also that of a lower cache when the higher one is not asked")
    func memory() throws {
        low.storeInMemory(try .sample(width: 1), for: key)
        #expect(fixture.query(cacheType: .memory) == nil)
        #expect(recorder.words == ["memory 1x1"])
        high.storeInMemory(try .sample(width: 2), for: key)
        #expect(fixture.query() == nil)
        #expect(recorder.words == ["memory 1x1", "memory 2x1"])
    }

    @Test("B13 CM-1 a cancellation reaches the queried cache, and calls back, once", arguments: [true, false])
    func cancel(isConcurrent: Bool) async throws {
        manager.queryOperationPolicy = isConcurrent ? .concurrent : .serial
        high.put(fixture.file(2), for: key)
        low.put(fixture.file(1), for: key)
        let token = try #require(fixture.query())
        #expect(token.key == key)
        token.cancel()
        #expect(recorder.words == ["cancelled"])
        high.answer()
        low.answer()
        token.cancel()
        #expect(recorder.words == ["cancelled"])
        #expect(high.memory.isEmpty && low.memory.isEmpty)
        // After a cancellation, the next lower cache is not asked instead.
        #expect(low.queries.count == (isConcurrent ? 1 : 0))
    }

    @Test("B13 CM-1 a cancelled query calls back on the callback queue")
    func cancelOnQueue() async throws {
        let held = HeldCallbacks()
        let token = try #require(fixture.query { $0.callbackQueue = held.queue })
        token.cancel()
        #expect(recorder.words.isEmpty)
        try await held.waitForCallbacks(1)
        held.runAll()
        #expect(recorder.words == ["cancelled"])
    }

    @Test("B13 CM-1 a cancelled query of bytes, as a load makes it, calls back on the callback queue")
    func cancelBytes() {
        let answers = Observed<[Bool]>([])
        let task = manager.queryDisk(for: key, priority: .normal) { result in
            guard case .failure(let error) = result else { return }
            answers.update { $0.append(error.isCancelled) }
        }
        task.cancel()
        #expect(answers.value == [true])
        high.answer()
        #expect(answers.value == [true])
    }

    @Test(
        "S4-29 one cache answers by itself, whatever the policy", arguments: ImageCachesManagerOperationPolicy.allCases)
    func single(policy: ImageCachesManagerOperationPolicy) async throws {
        manager.caches = [low]
        manager.queryOperationPolicy = policy
        low.put(fixture.file(1), for: key)
        fixture.query()
        low.answer()
        #expect(try await recorder.ending() == ["disk 1x1 with data"])
    }

    @Test("S4-29 an unreadable cache does not hide the entries of another one")
    func failing() async throws {
        manager.caches = [low, FailingCache()]
        low.put(fixture.file(1), for: key)
        low.put(DiskCacheEntry(data: Data("low".utf8)), for: CacheKey("bytes"))
        #expect(try manager.queryDiskBlocking(for: CacheKey("bytes"))?.data == Data("low".utf8))
        #expect(throws: WebImageError.self) { try manager.queryDiskBlocking(for: CacheKey("nowhere")) }
        let answers = Observed<[Bool]>([])
        for name in ["bytes", "nowhere"] {
            _ = manager.queryDisk(for: CacheKey(name), priority: .high) { result in
                answers.update { $0.append((try? result.get()) == nil) }
            }
            low.answer()
        }
        #expect(answers.value == [false, true])
    }

    @Test("B13 zero caches complete at once, with nothing", arguments: ImageCachesManagerOperationPolicy.allCases)
    func none(policy: ImageCachesManagerOperationPolicy) throws {
        manager.caches = []
        manager.queryOperationPolicy = policy
        manager.storeOperationPolicy = policy
        manager.removeOperationPolicy = policy
        manager.containsOperationPolicy = policy
        manager.clearOperationPolicy = policy
        let done = Observed<[String]>([])
        #expect(fixture.query() == nil)
        #expect(recorder.words == ["none"])
        manager.storeOnDisk(.sample(), for: key) { _ in done.update { $0.append("stored") } }
        manager.store(try .sample(), for: key) { _ in done.update { $0.append("stored") } }
        manager.remove(for: key, from: .all) { done.update { $0.append("removed") } }
        manager.contains(key, in: .all) { tier in done.update { $0.append("\(tier)") } }
        manager.clear(.all) { done.update { $0.append("cleared") } }
        #expect(done.value == ["stored", "stored", "removed", "no cache", "cleared"])
        #expect(manager.imageFromMemory(for: key) == nil)
        #expect(try manager.queryDiskBlocking(for: key) == nil)
    }
}
