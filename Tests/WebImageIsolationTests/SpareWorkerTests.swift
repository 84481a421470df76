import Foundation
import Synchronization
import Testing
import WebImageTestSupport

@testable import WebImageCore
@testable import WebImageIsolation

/// Workers that are ready before a picture needs them.
@Suite(
    "Spare workers", .timeLimit(.minutes(5)),
    .disabled(if: Sanitizer.isActive, "a sanitizer's own code needs more system calls than decoding"))
struct SpareWorkerTests {
    /// Work that a test lets happen.
    private final class HeldWork: Sendable {
        private let held = Mutex<[@Sendable () -> Void]>([])

        var background: BackgroundWork { BackgroundWork { [self] _, work in held.withLock { $0.append(work) } } }
        var count: Int { held.withLock { $0.count } }

        func run() {
            while let work = held.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { work() }
        }
    }

    private static func spares(_ pressure: MemoryPressure = MemoryPressure(source: NoMemorySignals())) -> SpareWorkers {
        SpareWorkers(pressure: pressure)
    }

    @Test("after the first picture of a kind, the worker of the next one is there before it is wanted")
    func ready() throws {
        let work = HeldWork()
        let source = FaultyHelper.make(spares: Self.spares(), background: work.background)
        #expect(try source.answer(to: "echo 1") == "1")
        work.run()
        // From now on no worker can be forked.
        source.signal(SIGSTOP)
        #expect(try source.answer(to: "echo 2") == "2")
        source.signal(SIGCONT)
        work.run()
        // Of another kind there is none yet.
        #expect(try source.answer(to: "open", from: .svg) == "refused")
    }

    @Test("a spare is locked in as any worker")
    func lockedIn() throws {
        let work = HeldWork()
        let source = FaultyHelper.make(spares: Self.spares(), background: work.background)
        for _ in 0..<3 {
            #expect(try source.answer(to: "open") == "refused")
            work.run()
        }
    }

    @Test("a picture that comes before its spare is forked forks it itself, and once")
    func early() async {
        await #expect(processExitsWith: .success) {
            let work = HeldWork()
            let source = FaultyHelper.make(spares: SpareWorkerTests.spares(), background: work.background)
            let first = try source.makeWorker(for: .png, limits: ImageLimits())
            #expect(try first.answer(to: "echo 1") == "1")
            let before = ProcessHoldings().processes
            let second = try source.makeWorker(for: .png, limits: ImageLimits())
            #expect(try second.answer(to: "echo 2") == "2")
            #expect(ProcessHoldings().processes == before + 1)
            // The order of the second one's successor is left: there is one from the answer on.
            work.run()
            #expect(ProcessHoldings().processes == before + 2)
            first.end()
            second.end()
        }
    }

    @Test("spares end after some seconds, under memory pressure and with the helper, and nothing is left of them")
    func ends() async {
        await #expect(processExitsWith: .success) {
            let pressure = MemoryPressure(source: NoMemorySignals())
            let (work, spares) = (HeldWork(), SpareWorkerTests.spares(pressure))
            let source = FaultyHelper.make(
                buffers: SharedBufferPool(maximumByteCount: 0), spares: spares, background: work.background)
            let alone = try source.abilities()
            #expect(alone.kinds.contains(.png))
            let before = ProcessHoldings()
            let drops: [() -> Void] = [
                { spares.dropIdle(at: .now + SpareWorkers.idleTime + .seconds(1)) }, { pressure.report(.warning) },
            ]
            for drop in drops {
                #expect(try source.answer(to: "echo 1") == "1")
                work.run()
                #expect(ProcessHoldings().processes == before.processes + 1)
                spares.dropIdle(at: .now)
                #expect(ProcessHoldings().processes == before.processes + 1)
                drop()
                work.run()
                #expect(ProcessHoldings() == before)
            }
            #expect(try source.answer(to: "echo 1") == "1")
            work.run()
            source.end()
            work.run()
            #expect(ProcessHoldings().processes == before.processes - 1)
        }
    }

    @Test("a spare whose helper has ended is no picture's worker")
    func helperDeath() throws {
        let work = HeldWork()
        let source = FaultyHelper.make(spares: Self.spares(), background: work.background)
        for number in 0..<20 {
            #expect(try source.answer(to: "echo \(number)") == "\(number)")
            work.run()
            source.end()
        }
        // Killed from outside, the picture fails for now, or gets a worker of the next helper.
        #expect(try source.answer(to: "echo a") == "a")
        work.run()
        source.signal(SIGKILL)
        do throws(WebImageError) {
            #expect(try source.answer(to: "echo b") == "b")
        } catch {
            #expect(error.mayBeOfAnotherPicture || error.kind == .transient, "\(error.reason)")
        }
        #expect(try source.answer(to: "echo c") == "c")
    }

    @Test("a spare that has ended meanwhile, or says what nobody has asked for, is no picture's worker")
    func unfit() throws {
        let source = FaultyHelper.make()
        let limits = ImageLimits()
        let dead = try #require(try source.makeWorker(for: .png, limits: limits) as? SocketConnection)
        #expect(dead.begin(within: limits))
        dead.end()
        #expect(!dead.begin(within: limits))
        let loud = try #require(try source.makeWorker(for: .png, limits: limits) as? SocketConnection)
        #expect(try loud.answer(to: "echo 1") == "1")
        #expect(loud.begin(within: limits))
        try loud.send(WorkerPacket(bytes: Array("echo 2".utf8)))
        while loud.begin(within: limits) {}
    }

    @Test("a worker gets no further picture once it has used half of its time")
    func spent() {
        let allowance = WorkerAllowance(memory: 1, processorSeconds: 20)
        #expect(WorkerWatch.hasTimeLeft(after: .seconds(10), of: allowance))
        #expect(!WorkerWatch.hasTimeLeft(after: .seconds(11), of: allowance))
        #expect(!WorkerWatch.hasTimeLeft(after: nil, of: allowance))
    }

    @Test("work that nobody waits for is bounded: more is done at once")
    func bounded() {
        let work = HeldWork()
        let background = work.background
        let done = Atomic(0)
        for _ in 0..<20 { background.add { done.add(1, ordering: .relaxed) } }
        #expect(work.count == 16 && done.load(ordering: .relaxed) == 4)
        work.run()
        #expect(done.load(ordering: .relaxed) == 20)
        background.finish()
    }
}
