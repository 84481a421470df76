import Foundation
import Synchronization
import Testing
import WebImageCache
import WebImageCore
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Image cache: cancelled queries", .timeLimit(.minutes(5)))
struct ImageCacheCancellationTests {
    private let directory: CacheDirectory
    private let fileSystem = FaultyFileSystem()
    private let key = CacheKey("https://example.org/a.jpg")

    init() throws { directory = try CacheDirectory() }

    /// A cache that reads one entry at a time.
    private func cache() -> ImageCache {
        ImageCache(
            memoryCache: MemoryCache(), diskCache: directory.cache(fileSystem), config: ImageCacheConfig(), readLimit: 1
        )
    }

    /// The number of reads of entries.
    private var readCount: Int {
        fileSystem.calls.count { $0.operation == .read && $0.path.contains(/entries-3\/..\//) }
    }

    /// Every read opens the second gate and then waits at the first.
    private func holdReads(of cache: ImageCache) async -> (gate: Gate, reading: Gate) {
        // Lets the index finish its initial work on the files.
        _ = await cache.usage()
        let (gate, reading) = (Gate(), Gate())
        fileSystem.setGate { operation, path in
            guard operation == .read, path.contains(/entries-3\/..\//) else { return }
            reading.open()
            gate.waitBlocking()
        }
        return (gate, reading)
    }

    @Test("A1 A2 T4.15 a query cancelled while it waits calls back at once, on the caller's thread, and reads nothing")
    func cancelQueued() async throws {
        let cache = cache()
        try await cache.store(.sample(), for: key)
        let (gate, reading) = await holdReads(of: cache)
        let readCount = readCount
        let (first, second) = (Answers(), Answers())
        _ = cache.queryDisk(for: key, priority: .normal) { first.add($0) }
        reading.waitBlocking()
        let query = cache.queryDisk(for: key, priority: .normal) { second.add($0) }
        query.cancel()
        #expect(second.all == [.cancelled])
        query.cancel()
        gate.open()
        await settle(cache)
        #expect(first.all == [.found(1000)])
        #expect(second.all == [.cancelled])
        #expect(self.readCount == readCount + 1)
    }

    @Test("A1 A3 a query cancelled while it reads calls back at once, and only once")
    func cancelReading() async throws {
        let cache = cache()
        try await cache.store(.sample(), for: key)
        let (gate, reading) = await holdReads(of: cache)
        let answers = Answers()
        let query = cache.queryDisk(for: key, priority: .normal) { answers.add($0) }
        reading.waitBlocking()
        query.cancel()
        #expect(answers.all == [.cancelled])
        gate.open()
        await settle(cache)
        #expect(answers.all == [.cancelled])
    }

    @Test("A3 a query cancelled after it called back, or from its own callback, does not call back again")
    func cancelLate() async throws {
        let cache = cache()
        let answers = Answers()
        let query = cache.queryDisk(for: key, priority: .normal) { answers.add($0) }
        try await answers.wait(1)
        query.cancel()
        #expect(answers.all == [.none])

        let held = Mutex<(any CancellableTask)?>(nil)
        let (gate, started) = (Gate(), Gate())
        fileSystem.setGate { operation, _ in
            started.open()
            gate.waitBlocking()
        }
        let own = cache.queryDisk(for: key, priority: .normal) { result in
            answers.add(result)
            held.withLock { $0 }?.cancel()
        }
        started.waitBlocking()
        held.withLock { $0 = own }
        gate.open()
        try await answers.wait(2)
        await settle(cache)
        #expect(answers.all == [.none, .none])
    }

    @Test("A1 cancelling and reading at the same time: each query calls back exactly once")
    func race() async throws {
        let cache = cache()
        try await cache.store(.sample(), for: key)
        let answers = (0..<500).map { _ in Answers() }
        await withTaskGroup { group in
            for answer in answers {
                let query = cache.queryDisk(for: key, priority: .normal) { answer.add($0) }
                group.addTask { query.cancel() }
            }
        }
        await settle(cache)
        #expect(answers.allSatisfy { $0.all == [.cancelled] || $0.all == [.found(1000)] })
    }

    @Test("a cancelled task's read throws \"cancelled\", before it starts as well as while it reads")
    func taskCancellation() async throws {
        let cache = cache()
        try await cache.store(.sample(), for: key)
        let (gate, reading) = await holdReads(of: cache)
        let task = Task { try await cache.entry(for: key) }
        try await reading.wait()
        task.cancel()
        let error = await #expect(throws: WebImageError.self) { try await task.value }
        #expect(error?.code == .cancelled && error?.isCancelled == true)

        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await cache.entry(for: key)
        }
        await #expect(throws: WebImageError.self) { try await late.value }
        gate.open()
    }

    @Test("the most urgent query goes first, and the oldest first among equals")
    func order() async throws {
        let cache = cache()
        let (gate, reading) = (Gate(), Gate())
        fileSystem.setGate { _, _ in
            reading.open()
            gate.waitBlocking()
        }
        let order = Observed<[Int]>([])
        _ = cache.queryDisk(for: key, priority: .normal) { _ in }
        reading.waitBlocking()
        for (number, priority) in [LoadPriority.low, .normal, .high, .normal, .low].enumerated() {
            _ = cache.queryDisk(for: key, priority: priority) { _ in order.update { $0.append(number) } }
        }
        gate.open()
        #expect(try await order.wait { $0.count == 5 } == [2, 1, 3, 0, 4])
    }

    /// Returns when all reads are over: one runs at a time, and this one has the lowest priority.
    private func settle(_ cache: ImageCache) async { _ = await cache.usage() }
}

/// The answers to one query.
private final class Answers: Sendable {
    enum Answer: Equatable { case found(Int), none, cancelled, failed }

    private let answers = Observed<[Answer]>([])
    var all: [Answer] { answers.value }

    func wait(_ count: Int) async throws { _ = try await answers.wait { $0.count >= count } }

    func add(_ result: Result<DiskCacheEntry?, WebImageError>) {
        let answer: Answer =
            switch result {
            case .success(let entry?): .found(entry.data.count)
            case .success(nil): .none
            case .failure(let error): error.isCancelled ? .cancelled : .failed
            }
        answers.update { $0.append(answer) }
    }
}
