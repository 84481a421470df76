import WebImage
import XCTest

@testable import WebImageGTK

final class SleepingLoadsTests: GTKTestCase, @unchecked Sendable {
    func testALoadSleepsUntilAsMuchWasScrolledAsSeparatesItFromTheWindow() {
        onMainThread {
            var loads = SleepingLoads()
            let (near, far, hidden) = (ViewLoadID(), ViewLoadID(), ViewLoadID())
            loads.note(scrolled: 0.75)
            loads.add(far, for: 5)
            loads.add(near, for: 1)
            loads.add(hidden, for: .infinity)
            XCTAssertEqual(loads.wake(), [])
            loads.note(scrolled: 0.5)
            XCTAssertEqual(loads.wake(), [near], "a part of a screen too early, never too late")
            loads.note(scrolled: 3)
            XCTAssertEqual(loads.wake(), [])
            loads.note(scrolled: 1.5)
            XCTAssertEqual(loads.wake(), [far])
            loads.note(scrolled: 1e9)
            XCTAssertEqual(loads.wake(), [])
            XCTAssertEqual(loads.removeAll(), [hidden])
        }
    }

    func testAfterAChangeOfTheLayoutEachLoadHasItsTurn() {
        onMainThread {
            var loads = SleepingLoads()
            let ids = (0..<1000).map { _ in ViewLoadID() }
            for id in ids { loads.add(id, for: 100) }
            loads.remove(ids[500])
            for _ in 0..<3 {
                loads.layoutHasChanged()
                var woken: [ViewLoadID] = []
                while loads.uncheckedCount > 0 {
                    let some = loads.wake()
                    XCTAssertLessThanOrEqual(some.count, SleepingLoads.share)
                    for id in some { loads.add(id, for: 100) }
                    woken += some
                }
                XCTAssertEqual(woken.sorted(), ids.filter { $0 != ids[500] })
                XCTAssertEqual(loads.wake(), [])
            }
        }
    }

    /// As in a list that is scrolled up and down for hours.
    func testLoadsThatWakeAndSleepAgainAreKeptOnce() {
        onMainThread {
            var loads = SleepingLoads()
            let ids = (0..<10).map { _ in ViewLoadID() }
            for _ in 0..<1000 {
                for id in ids { loads.add(id, for: 1) }
                loads.note(scrolled: 2)
                XCTAssertEqual(loads.wake().sorted(), ids)
            }
            for id in ids { loads.add(id, for: 1) }
            loads.layoutHasChanged()
            XCTAssertEqual(loads.wake().sorted(), ids)
            XCTAssertEqual(loads.removeAll(), [])
        }
    }
}
