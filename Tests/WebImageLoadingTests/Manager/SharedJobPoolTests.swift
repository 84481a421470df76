import Dispatch
import Synchronization
import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageLoading

@Suite("Shared job pool")
struct SharedJobPoolTests {
    /// Work that runs only when the test lets it, and reports that.
    private final class HeldWork: Sendable {
        let queue = JobQueue(label: "test", limit: 1)
        let pool: SharedJobPool<String, Int>
        private let gate = DispatchSemaphore(value: 0)
        private let started = DispatchSemaphore(value: 0)
        private let runs = Mutex(0)
        private let answers = Mutex<[String: [Int]]>([:])
        private let done = DispatchGroup()

        init() { pool = SharedJobPool(queue: queue) }

        func join(_ key: String, as name: String, willAnswer: Bool = true) -> any CancellableTask {
            if willAnswer { done.enter() }
            return pool.submit(key, priority: .normal) { flag in
                self.started.signal()
                self.gate.wait()
                let run = self.runs.withLock { runs in
                    runs += 1
                    return runs
                }
                return flag.isCancelled ? -run : run
            } completion: { value in
                self.answers.withLock { $0[name, default: []].append(value) }
                if willAnswer { self.done.leave() }
            }
        }

        func waitUntilStarted() { started.wait() }

        func release(_ count: Int = 1) { for _ in 0..<count { gate.signal() } }

        func results() -> [String: [Int]] {
            done.wait()
            return answers.withLock { $0 }
        }
    }

    @Test("an object released with the last waiting load may call the pool again", .timeLimit(.minutes(5)))
    func reentrant() {
        /// Like an object of an app in a context, which cancels or loads when it is deallocated.
        final class Asking: Sendable {
            let pool: SharedJobPool<String, Int>
            init(_ pool: SharedJobPool<String, Int>) { self.pool = pool }
            deinit { _ = pool.submit("other", priority: .low, work: { _ in 1 }, completion: { _ in }) }
        }
        let work = HeldWork()
        _ = work.join("busy", as: "busy")
        work.waitUntilStarted()
        let task = {
            let asking = Asking(work.pool)
            return work.pool.submit("a", priority: .normal) { _ in
                _ = asking
                return 1
            } completion: { _ in
                _ = asking
            }
        }()
        task.cancel()
        work.release()
        #expect(work.results() == ["busy": [1]])
    }

    @Test("requests for the same work while it runs get the same result, from one run")
    func joins() {
        let work = HeldWork()
        _ = work.join("a", as: "first")
        work.waitUntilStarted()
        _ = work.join("a", as: "second")
        work.release()
        #expect(work.results() == ["first": [1], "second": [1]])
    }

    @Test("the queue is called outside the lock: its thread source may call the pool", .timeLimit(.minutes(5)))
    func reentrantExecutor() {
        let (lent, ask) = (Observed(0), Observed<(@Sendable () -> Void)?>(nil))
        let queue = JobQueue(limit: 1) { _, _ in
            lent.update { $0 += 1 }
            ask.value?()
        }
        let pool = SharedJobPool<String, Int>(queue: queue)
        let tasks = ["a", "b"].map { pool.submit($0, priority: .low, work: { _ in 1 }, completion: { _ in }) }
        #expect(lent.value == 1)
        ask.update { $0 = { _ = pool.submit("c", priority: .low, work: { _ in 1 }, completion: { _ in }) } }
        tasks[1].setPriority(.high)
        #expect(lent.value == 2)
    }

    @Test("a subscriber that leaves gets no result, the others do")
    func leaves() {
        let work = HeldWork()
        let leaver = work.join("a", as: "leaver", willAnswer: false)
        work.waitUntilStarted()
        _ = work.join("a", as: "stayer")
        leaver.cancel()
        leaver.cancel()
        work.release()
        #expect(work.results() == ["stayer": [1]])
    }

    @Test("A7 work without subscribers is not joined again: the next one starts its own")
    func abandoned() {
        let work = HeldWork()
        let leaver = work.join("a", as: "leaver", willAnswer: false)
        work.waitUntilStarted()
        leaver.cancel()
        _ = work.join("a", as: "next")
        work.release(2)
        // The abandoned run was the first and saw its flag; its result was dropped.
        #expect(work.results() == ["next": [2]])
    }

    @Test("work without a waiting load does not start")
    func neverStarts() {
        let work = HeldWork()
        _ = work.join("busy", as: "busy")
        work.waitUntilStarted()
        work.join("a", as: "leaver", willAnswer: false).cancel()
        _ = work.join("b", as: "last")
        work.release(2)
        #expect(work.results() == ["busy": [1], "last": [2]])
    }
}
