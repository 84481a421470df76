import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImageTestLoads
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Cache queries: cancellation, and the queue of their callbacks", .timeLimit(.minutes(5)))
struct CacheQueryCancellationTests {
    private let cache = SuspendedCache(answersAtOnce: false)
    private let recorder = QueryRecorder()
    private let key = CacheKey("https://example.org/a.jpg")
    private static let file = ScriptedCoder.file(40, 40)

    init() { cache.put(Self.file, for: key) }

    private func query(_ coder: ScriptedCoder = ScriptedCoder(), on queue: CallbackQueue?) -> ImageCacheToken? {
        cache.queryImage(
            for: key, context: .coder(coder) { $0.callbackQueue = queue }, completion: recorder.completion)
    }

    @Test("T4.15 CAC-10 on the main thread, cancelling a running query calls back at once, and once")
    @MainActor
    func cancelOnMain() throws {
        let token = try #require(query(on: nil))
        token.cancel()
        #expect(recorder.words == ["cancelled"])
        token.cancel()
        cache.answer()
        #expect(recorder.words == ["cancelled"])
        #expect(cache.memory.isEmpty)
    }

    @Test("CAC-10 elsewhere it calls back on the context's queue")
    func cancelElsewhere() async throws {
        let held = HeldCallbacks()
        let token = try #require(query(on: held.queue))
        token.cancel()
        #expect(recorder.words.isEmpty)
        try await held.waitForCallbacks(1)
        held.runAll()
        #expect(recorder.words == ["cancelled"])
    }

    @Test("CAC-10 complaint 3: a query cancelled between reading and decoding stops the decoder")
    func cancelWhileDecoding() async throws {
        let held = HeldCoder()
        let token = try #require(query(held.coder, on: .current))
        cache.answer()
        try await held.isDecodingNow()
        token.cancel()
        #expect(recorder.words == ["cancelled"])
        try await held.release()
        // Another query of the same key decodes again: the cancelled one has left nothing.
        _ = query(on: .current)
        cache.answer()
        #expect(try await recorder.endings(2) == ["cancelled", "disk 40x40 with data"])
    }

    @Test("CAC-10 a picture that waits for its callback queue is overtaken by a cancellation")
    func cancelWhileDelivering() async throws {
        let held = HeldCallbacks()
        let token = try #require(query(on: held.queue))
        cache.answer()
        try await held.waitForCallbacks(1)
        token.cancel()
        held.runAll()
        #expect(recorder.words == ["cancelled"])
    }

    @Test("T4.48 CTX-3 the disk's answer comes on the callback queue")
    func callbackQueue() async throws {
        let held = HeldCallbacks()
        _ = query(on: held.queue)
        cache.answer()
        try await held.waitForCallbacks(1)
        #expect(recorder.words.isEmpty)
        held.runAll()
        #expect(recorder.words == ["disk 40x40 with data"])
    }

    @Test("CAC-10 a task that awaits a query and is cancelled gets the error at once")
    func cancelledTask() async throws {
        let cache = cache
        let key = key
        let task = Task { try await cache.queryImage(for: key) }
        task.cancel()
        let error = await #expect(throws: WebImageError.self) { try await task.value }
        #expect(error?.isCancelled == true)
    }

    @Test("CAC-10 complaint 4: a thousand queries, half of them cancelled from another thread, call back once each")
    func hammer() async throws {
        let cache = SuspendedCache()
        cache.put(Self.file, for: key)
        let coder = ScriptedCoder()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<1000 {
                group.addTask {
                    let recorder = QueryRecorder()
                    let token = cache.queryImage(
                        for: CacheKey(number.isMultiple(of: 3) ? key.string : "\(number)"), context: .coder(coder),
                        completion: recorder.completion)
                    if number.isMultiple(of: 2) { await Task.detached { token?.cancel() }.value }
                    _ = try await recorder.ending()
                    return recorder.words.count
                }
            }
            for try await count in group { #expect(count == 1) }
        }
    }
}
