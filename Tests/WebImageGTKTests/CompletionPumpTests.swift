import Synchronization
import WebImage
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
}
