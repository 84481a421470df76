import Dispatch
import Synchronization
import Testing
import WebImageCore
import WebImageTesting

@Suite("Callback queues", .timeLimit(.minutes(5)))
struct CallbackQueueTests {
    private let queue = DispatchQueue(label: "test")
    private let ran = Gate()

    /// Whether a callback runs before `run` returns, for a caller on the queue itself, which is serial.
    private func runsInline(_ callbackQueue: CallbackQueue, on queue: DispatchQueue) -> Bool {
        queue.sync {
            callbackQueue.run { ran.open() }
            return ran.isOpen
        }
    }

    /// Whether a callback waits for a suspended queue.
    private func waits(_ callbackQueue: CallbackQueue) async throws -> Bool {
        queue.suspend()
        callbackQueue.run { ran.open() }
        let isWaiting = !ran.isOpen
        queue.resume()
        try await ran.wait()
        return isWaiting
    }

    @Test("CBQ-1 CBQ-2 a queue calls back at once when already there, and otherwise on itself")
    func safeExecute() async throws {
        #expect(runsInline(CallbackQueue(queue), on: queue))
        let other = CallbackQueueTests()
        #expect(try await other.waits(CallbackQueue(other.queue)))
    }

    @Test("CBQ-2 being on another queue of the same label is not being there")
    func sameLabel() async throws {
        let twin = DispatchQueue(label: queue.label)
        _ = CallbackQueue(twin)
        queue.suspend()
        #expect(!runsInline(CallbackQueue(queue), on: twin))
        queue.resume()
        try await ran.wait()
    }

    @Test("CBQ-2 a queue that targets it counts as itself")
    func target() {
        #expect(runsInline(CallbackQueue(queue), on: DispatchQueue(label: "child", target: queue)))
    }

    @Test("CBQ-2 two callback queues of one queue both know it")
    func twice() {
        let callbackQueues = [CallbackQueue(queue), CallbackQueue(queue)]
        let count = Mutex(0)
        queue.sync {
            for callbackQueue in callbackQueues { callbackQueue.run { count.withLock { $0 += 1 } } }
            #expect(count.withLock { $0 } == 2)
        }
    }

    @Test("CBQ-2 dispatch is always asynchronous")
    func dispatch() async throws {
        #expect(!runsInline(CallbackQueue(queue, policy: .dispatch), on: queue))
        try await ran.wait()
    }

    @Test("CBQ-2 invoke is always inline")
    func invoke() {
        queue.suspend()
        CallbackQueue(queue, policy: .invoke).run { ran.open() }
        #expect(ran.isOpen)
        queue.resume()
    }

    @Test("CBQ-1 current calls back where the work ends")
    func current() {
        CallbackQueue.current.run { ran.open() }
        #expect(ran.isOpen)
    }

    @Test("CBQ-1 global and other shared queues call back asynchronously")
    func global() async throws {
        let policies: [CallbackQueue] = [
            .global, CallbackQueue(.global(qos: .background)), CallbackQueue(.global(), policy: .dispatch),
        ]
        let count = Observed(0)
        for callbackQueue in policies { callbackQueue.run { count.update { $0 += 1 } } }
        try await count.wait { $0 == 3 }
    }

    @Test("CBQ-2 CBQ-3 B30 main is inline on the main queue, and asynchronous to it from elsewhere")
    func main() async throws {
        for callbackQueue in [
            CallbackQueue.main, CallbackQueue(queue, policy: .safeAsyncMainThread), CallbackQueue(.main),
        ] {
            let inline = await MainActor.run {
                let ran = Gate()
                callbackQueue.run { ran.open() }
                return ran.isOpen
            }
            #expect(inline)
            let isOnMain = await withCheckedContinuation { continuation in
                queue.async {
                    callbackQueue.run { continuation.resume(returning: MainActor.shared.isCurrent) }
                }
            }
            #expect(isOnMain)
        }
    }

    @Test("CBQ-2 dispatch to the main queue does not run within the call")
    func mainDispatch() async throws {
        let ran = ran
        let inline = await MainActor.run {
            CallbackQueue(.main, policy: .dispatch).run { ran.open() }
            return ran.isOpen
        }
        #expect(!inline)
        try await ran.wait()
    }

    @Test("CTX-3 an app's own queue gets the callbacks")
    func runner() {
        let pending = Mutex<[@Sendable () -> Void]>([])
        CallbackQueue { callback in pending.withLock { $0.append(callback) } }.run { ran.open() }
        #expect(!ran.isOpen)
        for callback in pending.withLock({ $0 }) { callback() }
        #expect(ran.isOpen)
    }
}

@Suite("Callbacks that are dropped", .timeLimit(.minutes(5)))
struct DroppedCallbackTests {
    /// A loop that keeps its jobs until the test runs them, or drops them.
    private final class Loop: Sendable {
        private let pending = Mutex<[@Sendable () -> Void]>([])

        var queue: CallbackQueue { CallbackQueue { callback in self.pending.withLock { $0.append(callback) } } }

        func end() { take() }

        func runAll(times: Int = 1) { for callback in take() { (0..<times).forEach { _ in callback() } } }

        @discardableResult
        private func take() -> [@Sendable () -> Void] {
            pending.withLock { pending in
                defer { pending = [] }
                return pending
            }
        }
    }

    private func run(on queue: CallbackQueue, with events: Recorder) {
        queue.run {
            events.add("ran")
        } dropped: {
            events.add("dropped")
        }
    }

    private final class Recorder: Sendable {
        private let words = Mutex<[String]>([])
        func add(_ word: String) { words.withLock { $0.append(word) } }
        var all: [String] { words.withLock { $0 } }
    }

    @Test("a callback that its queue releases without running it is dropped, once")
    func dropped() {
        let (loop, events) = (Loop(), Recorder())
        run(on: loop.queue, with: events)
        #expect(events.all.isEmpty)
        loop.end()
        #expect(events.all == ["dropped"])
    }

    @Test("a callback that ran is not dropped, and runs once whatever the queue does")
    func ran() {
        let (loop, events) = (Loop(), Recorder())
        run(on: loop.queue, with: events)
        loop.runAll(times: 3)
        loop.end()
        #expect(events.all == ["ran"])
    }

    @Test("a queue that refuses all callbacks drops them at once")
    func refused() {
        let events = Recorder()
        run(on: CallbackQueue { _ in }, with: events)
        #expect(events.all == ["dropped"])
    }

    @Test("the built-in queues drop nothing", arguments: [CallbackQueue.current, .global, .main])
    func builtIn(queue: CallbackQueue) async {
        let word = await withCheckedContinuation { continuation in
            queue.run {
                continuation.resume(returning: "ran")
            } dropped: {
                continuation.resume(returning: "dropped")
            }
        }
        #expect(word == "ran")
    }
}

extension MainActor {
    /// Whether the calling code runs on the main queue.
    fileprivate nonisolated var isCurrent: Bool {
        DispatchQueue.getSpecific(key: Self.key) == true
    }

    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()
}
