import WebImage
import XCTest

@testable import WebImageGTK

private typealias Loads = SleepingLoads<ViewLoadID>

/// Here, a load is no more than its identity.
extension ViewLoadID: Identifiable {
    package var id: Self { self }
}

final class SleepingLoadsTests: GTKTestCase, @unchecked Sendable {
    func testALoadSleepsUntilAsMuchWasScrolledAsSeparatesItFromTheWindow() {
        onMainThread {
            var loads = Loads()
            let (near, far, hidden) = (ViewLoadID(), ViewLoadID(), ViewLoadID())
            loads.note(scrolled: 0.75)
            loads.add(far, for: 5)
            loads.add(near, for: 1)
            loads.add(hidden, for: .infinity)
            XCTAssertEqual(loads.wake(isNear: { _ in true }), [])
            loads.note(scrolled: 0.5)
            XCTAssertEqual(loads.wake(isNear: { _ in true }), [near], "a part of a screen too early, never too late")
            loads.note(scrolled: 3)
            XCTAssertEqual(loads.wake(isNear: { _ in true }), [])
            loads.note(scrolled: 1.5)
            XCTAssertEqual(loads.wake(isNear: { _ in true }), [far])
            loads.note(scrolled: 1e9)
            XCTAssertEqual(loads.wake(isNear: { _ in true }), [])
            XCTAssertEqual(loads.removeAll(), [hidden])
        }
    }

    func testAfterAChangeOfTheLayoutEachLoadHasItsTurn() {
        onMainThread {
            var loads = Loads()
            let ids = (0..<5000).map { _ in ViewLoadID() }
            for id in ids { loads.add(id, for: 100) }
            loads.remove(ids[500])
            for round in 0..<3 {
                loads.layoutHasChanged()
                var asked: [ViewLoadID] = []
                while loads.hasTurns {
                    let before = asked.count
                    let woken = loads.wake { id in
                        asked.append(id)
                        return id == ids[700 + round]
                    }
                    XCTAssertLessThanOrEqual(asked.count - before, Loads.share)
                    for id in woken { loads.add(id, for: 100) }
                }
                XCTAssertEqual(asked.sorted(), ids.filter { $0 != ids[500] })
                XCTAssertEqual(loads.wake { _ in true }, [])
            }
        }
    }

    /// Each frame may change the layout, as while pictures arrive.
    func testLoadsHaveTheirTurnsHoweverOftenTheLayoutChanges() {
        onMainThread {
            var loads = Loads()
            let ids = (0..<5000).map { _ in ViewLoadID() }
            for id in ids { loads.add(id, for: 100) }
            var asked: Set<ViewLoadID> = []
            for _ in 0..<3 {
                loads.layoutHasChanged()
                _ = loads.wake { id in
                    asked.insert(id)
                    return false
                }
            }
            XCTAssertEqual(asked.count, ids.count)
        }
    }

    /// As in a list that is scrolled up and down for hours.
    func testLoadsThatWakeAndSleepAgainAreKeptOnce() {
        onMainThread {
            var loads = Loads()
            let ids = (0..<10).map { _ in ViewLoadID() }
            for _ in 0..<1000 {
                for id in ids { loads.add(id, for: 1) }
                loads.note(scrolled: 2)
                XCTAssertEqual(loads.wake(isNear: { _ in true }).sorted(), ids)
            }
            for id in ids { loads.add(id, for: 1) }
            loads.layoutHasChanged()
            XCTAssertEqual(loads.wake(isNear: { _ in true }).sorted(), ids)
            XCTAssertEqual(loads.removeAll(), [])
        }
    }
}
