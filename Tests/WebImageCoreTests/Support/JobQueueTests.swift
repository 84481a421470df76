import Dispatch
import Synchronization
import Testing
import WebImageCore
import WebImageTesting

@Suite("Job queue", .timeLimit(.minutes(5)))
struct JobQueueTests {
    /// A queue of one worker that is busy until `release` is called, so that later jobs wait in a known order.
    private final class BusyQueue: Sendable {
        let queue = JobQueue(label: "test", limit: 1)
        private let gate = DispatchSemaphore(value: 0)
        private let isBusy = DispatchSemaphore(value: 0)
        private let done = DispatchGroup()
        private let log = Mutex<[String]>([])

        init() {
            queue.submit { [gate, isBusy] in
                isBusy.signal()
                gate.wait()
            }
            isBusy.wait()
        }

        @discardableResult
        func add(_ name: String, _ priority: LoadPriority = .normal) -> JobQueue.Ticket {
            done.enter()
            return queue.submit(priority: priority) {
                self.log.withLock { $0.append(name) }
                self.done.leave()
            }
        }

        func remove(_ ticket: JobQueue.Ticket) -> Bool {
            let removed = queue.remove(ticket)
            if removed { done.leave() }
            return removed
        }

        func order() -> [String] {
            gate.signal()
            done.wait()
            return log.withLock { $0 }
        }
    }

    @Test("the most urgent job comes first, the oldest first within a priority")
    func order() {
        let busy = BusyQueue()
        busy.add("low", .low)
        busy.add("old")
        busy.add("new")
        busy.add("high", .high)
        #expect(busy.order() == ["high", "old", "new", "low"])
    }

    @Test("a waiting job can be moved to another priority")
    func move() {
        let busy = BusyQueue()
        let raised = busy.add("raised", .low)
        busy.add("normal")
        busy.queue.move(raised, to: .high)
        #expect(busy.order() == ["raised", "normal"])
    }

    @Test("a waiting job can be removed once, and does not run")
    func remove() {
        let busy = BusyQueue()
        let unwanted = busy.add("unwanted")
        busy.add("wanted")
        #expect(busy.remove(unwanted))
        #expect(!busy.queue.remove(unwanted))
        #expect(busy.order() == ["wanted"])
    }

    @Test("no more jobs run at once than the limit, and all of them run")
    func limit() {
        let queue = JobQueue(label: "test", limit: 3)
        let counts = Mutex((running: 0, most: 0, ended: 0))
        let done = DispatchGroup()
        for _ in 0..<200 {
            done.enter()
            queue.submit {
                counts.withLock { counts in
                    counts.running += 1
                    counts.most = max(counts.most, counts.running)
                }
                counts.withLock { counts in
                    counts.running -= 1
                    counts.ended += 1
                }
                done.leave()
            }
        }
        done.wait()
        let (running, most, ended) = counts.withLock { $0 }
        #expect(running == 0)
        #expect(most <= 3)
        #expect(ended == 200)
    }
}

@Suite("Job queue beside jobs of low priority", .serialized, .timeLimit(.minutes(5)))
struct JobQueuePlacesTests {
    /// Begins the maximum number of low-priority jobs, and holds them.
    private static func busyQueue(limit: Int, until gate: Gate) async throws -> JobQueue {
        let queue = JobQueue(label: "test", limit: limit)
        let begun = Observed(0)
        for _ in 0..<10 {
            queue.submit(priority: .low) {
                begun.update { $0 += 1 }
                gate.waitBlocking()
            }
        }
        try await begun.wait { $0 == limit }
        return queue
    }

    @Test("an urgent job runs at once beside any number of jobs of low priority", arguments: [1, 2, 3])
    func urgent(limit: Int) async throws {
        let (gate, ran) = (Gate(), Gate())
        let queue = try await Self.busyQueue(limit: limit, until: gate)
        queue.submit(priority: .normal) { ran.open() }
        try await ran.wait()
        gate.open()
    }

    @Test("a waiting job that becomes urgent runs at once", arguments: [1, 2, 3])
    func raised(limit: Int) async throws {
        let (gate, ran) = (Gate(), Gate())
        let queue = try await Self.busyQueue(limit: limit, until: gate)
        let ticket = queue.submit(priority: .low) { ran.open() }
        queue.move(ticket, to: .high)
        try await ran.wait()
        gate.open()
    }
}
