import Synchronization
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The pump with a clock and a main loop that the test controls.
final class CompletionPumpTests: XCTestCase {
    /// Time passes only in jobs, and hops run only when the test runs them.
    private final class Loop: Sendable {
        struct State {
            var time: UInt64 = 1_000_000
            var hops: [(delay: UInt64, job: CompletionPump.Job)] = []
            var delivered: [Int] = []
        }
        let state = Mutex(State())

        func makePump(share: UInt64) -> CompletionPump {
            CompletionPump(
                budget: FrameBudget(frame: 100, share: share), now: { self.state.withLock { $0.time } },
                schedule: { delay, job in self.state.withLock { $0.hops.append((delay, job)) } })
        }

        func job(_ number: Int, taking duration: UInt64) -> CompletionPump.Job {
            {
                self.state.withLock { state in
                    state.time += duration
                    state.delivered.append(number)
                }
            }
        }

        var delivered: [Int] { state.withLock { $0.delivered } }
        var delays: [UInt64] { state.withLock { $0.hops.map(\.delay) } }

        /// Runs the oldest hop at its time.
        func runHop() {
            let hop = state.withLock { state in
                let hop = state.hops.removeFirst()
                state.time += hop.delay
                return hop
            }
            hop.job()
        }
    }

    func testManyResultsTakeOneHop() {
        let loop = Loop()
        let pump = loop.makePump(share: 50)
        for number in 0..<20 { pump.push(loop.job(number, taking: 1)) }
        XCTAssertEqual(loop.delays, [0])
        loop.runHop()
        XCTAssertEqual(loop.delivered, Array(0..<20))
        XCTAssertEqual(loop.delays, [])
    }

    func testWhatDoesNotFitIntoAFrameComesWithTheNext() {
        let loop = Loop()
        let pump = loop.makePump(share: 30)
        for number in 0..<8 { pump.push(loop.job(number, taking: 10)) }
        loop.runHop()
        XCTAssertEqual(loop.delivered, [0, 1, 2])
        XCTAssertEqual(loop.delays, [70])
        loop.runHop()
        XCTAssertEqual(loop.delivered, [0, 1, 2, 3, 4, 5])
        loop.runHop()
        XCTAssertEqual(loop.delivered, Array(0..<8))
        XCTAssertEqual(loop.delays, [])
    }

    func testOneLongJobDoesNotStopTheNextForever() {
        let loop = Loop()
        let pump = loop.makePump(share: 30)
        pump.push(loop.job(0, taking: 1000))
        pump.push(loop.job(1, taking: 1))
        loop.runHop()
        XCTAssertEqual(loop.delivered, [0, 1])
    }

    func testAfterItHasRunDryItHopsAgain() {
        let loop = Loop()
        let pump = loop.makePump(share: 30)
        pump.push(loop.job(0, taking: 1))
        loop.runHop()
        pump.push(loop.job(1, taking: 1))
        XCTAssertEqual(loop.delays, [0])
        loop.runHop()
        XCTAssertEqual(loop.delivered, [0, 1])
    }

    func testAJobMayPushAnother() {
        let loop = Loop()
        let pump = loop.makePump(share: 30)
        pump.push { pump.push(loop.job(1, taking: 1)) }
        loop.runHop()
        XCTAssertEqual(loop.delivered, [1])
    }

    func testOnTheMainThreadNothingWaits() {
        let loop = Loop()
        loop.makePump(share: 30).callbackQueue().run(loop.job(7, taking: 1))
        XCTAssertEqual(loop.delivered, [7])
        XCTAssertEqual(loop.delays, [])
    }

    // MARK: Lanes

    /// S0-3
    func testResultsOfVisibleWidgetsComeFirst() {
        let loop = Loop()
        let pump = loop.makePump(share: 30)
        let (hidden, seen) = (CompletionPump.Lane(), CompletionPump.Lane())
        hidden.isSeen = false
        for number in 0..<6 { pump.push(loop.job(number, taking: 10), lane: hidden) }
        for number in 10..<13 { pump.push(loop.job(number, taking: 10), lane: seen) }
        pump.push(loop.job(20, taking: 10))
        loop.runHop()
        XCTAssertEqual(loop.delivered, [10, 11, 12])
        // A job that comes between two frames goes first, too; one without a widget counts as visible.
        pump.push(loop.job(13, taking: 10), lane: seen)
        loop.runHop()
        XCTAssertEqual(loop.delivered, [10, 11, 12, 20, 13, 0])
        loop.runHop()
        loop.runHop()
        XCTAssertEqual(loop.delivered, [10, 11, 12, 20, 13, 0, 1, 2, 3, 4, 5])
        XCTAssertEqual(loop.delays, [])
    }

    func testAWidgetThatBecomesVisibleGetsItsResultsNext() {
        let loop = Loop()
        let pump = loop.makePump(share: 20)
        let lanes = (0..<3).map { _ in CompletionPump.Lane() }
        for lane in lanes { lane.isSeen = false }
        for number in 0..<9 { pump.push(loop.job(number, taking: 10), lane: lanes[number % 3]) }
        loop.runHop()
        XCTAssertEqual(loop.delivered, [0, 1])
        lanes[2].isSeen = true
        loop.runHop()
        XCTAssertEqual(loop.delivered, [0, 1, 2, 5])
        lanes[2].isSeen = false
        while !loop.delays.isEmpty { loop.runHop() }
        XCTAssertEqual(loop.delivered, [0, 1, 2, 5, 3, 4, 6, 7, 8])
    }

    /// S0-3: as when a box of very many rows has all its pictures in memory.
    func testManyResultsOfInvisibleWidgetsTakeNoLongerEach() {
        let loop = Loop()
        let pump = loop.makePump(share: 50)
        let hidden = CompletionPump.Lane()
        hidden.isSeen = false
        for number in 0..<100_000 { pump.push(loop.job(number, taking: 0), lane: hidden) }
        let start = MainThreadTime.threadTime
        loop.runHop()
        // To search all of them for each takes minutes.
        XCTAssertLessThan(MainThreadTime.threadTime - start, 10_000_000_000)
        XCTAssertEqual(loop.delivered, Array(0..<100_000))
    }

    func testResultsOfInvisibleWidgetsComeInTheEndWhateverElseComes() {
        let loop = Loop()
        let pump = loop.makePump(share: 30)
        let hidden = CompletionPump.Lane()
        hidden.isSeen = false
        pump.push(loop.job(-1, taking: 10), lane: hidden)
        for number in 0..<20 {
            pump.push(loop.job(number, taking: 10))
            // Some jobs for visible widgets always wait.
            if number > 5, number % 3 == 2 { loop.runHop() }
        }
        while !loop.delays.isEmpty { loop.runHop() }
        XCTAssertEqual(loop.delivered.firstIndex(of: -1), 7)
        XCTAssertEqual(loop.delivered.filter { $0 >= 0 }, Array(0..<20))
    }

    /// Widgets become visible and invisible meanwhile.
    func testTheResultsOfAWidgetStayInOrder() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<50 {
            let loop = Loop()
            let pump = loop.makePump(share: 25)
            let lanes = (0..<4).map { _ in CompletionPump.Lane() }
            for number in 0..<60 {
                pump.push(loop.job(number, taking: 10), lane: lanes[number % 4])
                lanes[Int.random(in: 0..<4, using: &random)].isSeen = Bool.random(using: &random)
                if number % 7 == 0, !loop.delays.isEmpty { loop.runHop() }
            }
            while !loop.delays.isEmpty { loop.runHop() }
            XCTAssertEqual(loop.delivered.sorted(), Array(0..<60))
            for lane in 0..<4 {
                XCTAssertEqual(loop.delivered.filter { $0 % 4 == lane }, Array(stride(from: lane, to: 60, by: 4)))
            }
        }
    }
}
