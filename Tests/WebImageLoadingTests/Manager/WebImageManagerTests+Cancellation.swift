import FoundationEssentials
import Synchronization
import Testing
import WebImageCore
import WebImageLoading
import WebImageTestLoads
import WebImageTesting

@testable import WebImageTestDoubles

extension WebImageManagerTests {
    /// Cancels a load when it is deallocated, as views do.
    private final class Owner: Sendable {
        let operation = Mutex<LoadOperation?>(nil)
        let told = Atomic<Int>(0)
        deinit { operation.withLock { $0 }?.cancel() }
    }

    @Test("an object that only a load's closures hold may cancel the load at its release")
    func cancelledByItsOwnEnd() async throws {
        var owner: Owner? = Owner()
        let recorder = LoadRecorder()
        let operation = manager.load(
            try Self.address("a.jpg"), context: Self.inline,
            progress: { [owner] _ in owner?.told.add(1, ordering: .relaxed) }, completed: recorder.completed)
        owner?.operation.withLock { $0 = operation }
        weak let held = owner
        owner = nil
        let load = try await loader.waitForLoads(1)[0]
        load.progress(1)
        #expect(held?.told.load(ordering: .relaxed) == 1)
        load.finish(ScriptedCoder.file(1, 1))
        _ = try await recorder.outcome().get()
        #expect(recorder.outcomes.count == 1)
    }

    @Test("A1 A9 a load that is cancelled in flight ends at once, once, and its transfer is cancelled")
    func cancelInFlight() async throws {
        let manager = manager
        let recorder = LoadRecorder()
        let operation = start(try Self.address("a.jpg"), with: manager, into: recorder)
        let load = try await loader.waitForLoads(1)[0]
        operation.cancel()
        #expect(recorder.failureCode == .cancelled)
        try await load.waitForCancellation()
        #expect(operation.isCancelled)
        #expect(!manager.isRunning)
        operation.cancel()
        #expect(recorder.outcomes.count == 1)
    }

    @Test("A1 a load that is cancelled during the disk read ends once, and nothing is loaded")
    func cancelDuringDiskRead() async throws {
        let cache = SuspendedCache(answersAtOnce: false)
        let manager = WebImageManager(cache: cache, loader: loader, coder: coder)
        let recorder = LoadRecorder()
        let operation = start(try Self.address("a.jpg"), with: manager, into: recorder)
        operation.cancel()
        cache.answer()
        #expect(recorder.failureCode == .cancelled)
        #expect(loader.loads.isEmpty)
    }

    @Test("B16 B17 a load that is cancelled during its decode ends once, and nothing of it is stored")
    func cancelDuringDecode() async throws {
        let isDecoding = Gate()
        let mayDecode = Gate()
        let sawFlag = Gate()
        let coder = ScriptedCoder { options in
            isDecoding.open()
            mayDecode.waitBlocking()
            if options.cancellation?.isCancelled == true { sawFlag.open() }
        }
        let manager = WebImageManager(cache: cache, loader: loader, coder: coder)
        let recorder = LoadRecorder()
        let operation = start(try Self.address("a.jpg"), with: manager, into: recorder)
        try await loader.waitForLoads(1)[0].finish(ScriptedCoder.file(2, 2))
        try await isDecoding.wait()
        operation.cancel()
        #expect(recorder.failureCode == .cancelled)
        mayDecode.open()
        try await sawFlag.wait()
        #expect(recorder.outcomes.count == 1)
        #expect(cache.memory.isEmpty)
        #expect(cache.stores.isEmpty)
    }

    @Test("B17 a load that is cancelled while it waits for the store ends by the cancellation")
    func cancelDuringStore() async throws {
        let isStoring = Gate()
        let cache = SuspendedCache(holdsStores: true, didStore: { isStoring.open() })
        let manager = WebImageManager(cache: cache, loader: loader, coder: coder)
        let recorder = LoadRecorder()
        let operation = start(
            try Self.address("a.jpg"), with: manager, options: .waitStoreCache, into: recorder)
        try await loader.waitForLoads(1)[0].finish(ScriptedCoder.file(2, 2))
        try await isStoring.wait()
        operation.cancel()
        cache.releaseStores()
        #expect(recorder.failureCode == .cancelled)
    }

    @Test("A3 DL-23 a picture that waits for its callback queue is overtaken by a cancellation")
    func cancelBeforeCallback() async throws {
        let pending = PendingCallbacks()
        var context = WebImageContext()
        context.callbackQueue = pending.queue
        let url = try Self.address("a.jpg")
        cache.storeInMemory(try Self.picture(), for: CacheKey(url.absoluteString))
        let recorder = LoadRecorder()
        let operation = start(url, with: manager, context: context, into: recorder)
        operation.cancel()
        pending.runAll()
        #expect(recorder.failureCode == .cancelled)
    }

    @Test("cancelling the task that awaits a picture cancels its load")
    func taskCancellation() async throws {
        let manager = manager
        let url = try Self.address("a.jpg")
        let task = Task { try await manager.image(for: url) }
        let load = try await loader.waitForLoads(1)[0]
        task.cancel()
        let error = await task.result.failure as? WebImageError
        #expect(error?.code == .cancelled)
        try await load.waitForCancellation()
    }

    @Test("a task that is cancelled already loads nothing")
    func taskCancelledBefore() async throws {
        let manager = manager
        let url = try Self.address("a.jpg")
        let gate = Gate()
        let task = Task {
            try? await gate.wait()
            return try await manager.image(for: url)
        }
        task.cancel()
        gate.open()
        #expect((await task.result.failure as? WebImageError)?.code == .cancelled)
        for load in loader.loads { try await load.waitForCancellation() }
    }

    @Test("MGR-5 cancelAll ends every load, and then none is running")
    func cancelAll() async throws {
        let manager = manager
        let recorders = (0..<5).map { _ in LoadRecorder() }
        for (index, recorder) in recorders.enumerated() {
            start(try Self.address("\(index).jpg"), with: manager, into: recorder)
        }
        try await loader.waitForLoads(5)
        #expect(manager.isRunning)
        manager.cancelAll()
        #expect(recorders.allSatisfy { $0.failureCode == .cancelled })
        #expect(!manager.isRunning)
    }

    @Test("a manager that is released while it loads lets the load end")
    func released() async throws {
        let recorder = LoadRecorder()
        start(
            try Self.address("a.jpg"), with: WebImageManager(cache: cache, loader: loader, coder: coder),
            into: recorder)
        try await loader.waitForLoads(1)[0].finish(ScriptedCoder.file(1, 1))
        #expect(try await recorder.outcome().get().cacheType == .noCache)
    }

    @Test("every load ends exactly once, whatever is cancelled when", arguments: 0..<20)
    func storm(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let manager = manager
        let recorders = (0..<50).map { _ in LoadRecorder() }
        var operations: [LoadOperation] = []
        for recorder in recorders {
            let url = try Self.address("\(Int.random(in: 0..<10, using: &random)).jpg")
            let context = Bool.random(using: &random) ? Self.inline : Self.inline.apart
            operations.append(
                start(url, with: manager, options: .fromLoaderOnly, context: context, into: recorder))
        }
        for load in loader.loads.shuffled(using: &random) {
            if Bool.random(using: &random) { operations.randomElement(using: &random)?.cancel() }
            load.finish(Bool.random(using: &random) ? ScriptedCoder.file(1, 1) : Data("no".utf8))
        }
        for recorder in recorders { _ = await recorder.outcome() }
        #expect(!manager.isRunning)
        #expect(recorders.allSatisfy { $0.outcomes.count == 1 })
    }
}

/// A callback queue that runs when the test says so.
private final class PendingCallbacks: Sendable {
    private let callbacks = Mutex<[@Sendable () -> Void]>([])

    var queue: CallbackQueue {
        CallbackQueue { callback in self.callbacks.withLock { $0.append(callback) } }
    }

    func runAll() {
        let all = callbacks.withLock { callbacks in
            defer { callbacks = [] }
            return callbacks
        }
        for callback in all { callback() }
    }
}
