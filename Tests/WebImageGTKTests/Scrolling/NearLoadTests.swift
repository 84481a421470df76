import CGtk4
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Loads of views that are near wait for those of visible ones, for a second that the test controls.
final class NearLoadTests: GTKTestCase, @unchecked Sendable {
    /// A list on the screen, whose ten visible pictures are being loaded.
    @MainActor
    private func begun(count: Int = 500) throws -> (LongList, ManualAnimationClock) {
        try requireDisplay()
        let clock = ManualAnimationClock()
        let stage = LongList(.list, count: count)
        stage.loads?.clock = clock
        stage.loads?.patience = .seconds(1)
        iterate(until: { stage.asked.count == 10 && clock.pendingCount == 1 }, "the first screen")
        return (stage, clock)
    }

    /// S0-3
    func testEachScreenHasItsSecond() throws {
        try onMainThread {
            let (stage, clock) = try begun()
            defer { stage.close() }
            clock.advance(by: .milliseconds(900))
            stage.scroll(to: 100 * LongList.itemSize)
            iterate(until: { stage.asked.count == 20 }, "the screen after the jump")
            XCTAssertEqual(clock.nextTime, .milliseconds(1900))
            clock.advance(by: .milliseconds(900))
            drawFrames(3, of: stage.window)
            XCTAssertEqual(stage.asked.count, 20)
            clock.advance(by: .milliseconds(100))
            iterate(until: { stage.asked.count == 50 }, "what is near")
        }
    }

    /// S0-3: rows that come once the list is on the screen, which they do not fill.
    func testRowsThatComeAfterTheirListAreLoadedInOrder() throws {
        try onMainThread {
            try requireDisplay()
            let stage = LongList(.list, count: 0)
            defer { stage.close() }
            iterate(until: { gtk_widget_get_mapped(stage.list.widget) != 0 }, "the list")
            drawFrames(3, of: stage.window)
            for count in [3, 2] {
                stage.list.append(count)
                iterate(until: { stage.asked.count == (count == 3 ? 3 : 5) }, "the rows")
                drawFrames(3, of: stage.window)
            }
            XCTAssertEqual(stage.asked, ["0", "1", "2", "3", "4"])
        }
    }

    /// S0-3: three cells or four are visible, in turns.
    func testAWheelThatTurnsOneWayBeginsNoLoadAgain() throws {
        try onMainThread {
            try requireDisplay()
            let stage = LongList(.list, itemSizes: { _ in 150 })
            defer { stage.close() }
            stage.loads?.patience = .zero
            iterate(until: { stage.asked.count > 8 }, "the first pictures")
            for step in 1...200 {
                stage.scroll(to: step * 53)
                drawFrames(1, of: stage.window)
            }
            drawFrames(3, of: stage.window)
            let repeated = stage.asked.count - Set(stage.asked).count
            XCTAssertGreaterThan(stage.asked.count, 70)
            XCTAssertLessThanOrEqual(Double(repeated), 0.02 * Double(stage.asked.count), "\(stage.asked)")
        }
    }

    /// S0-3: also after a screen that took longer, with nothing else to load.
    func testTheTimeOfOneScreenIsNotThatOfTheNext() throws {
        try onMainThread {
            let (stage, clock) = try begun(count: 10)
            defer { stage.close() }
            clock.advance(by: .seconds(1))
            XCTAssertEqual(clock.pendingCount, 0, "their time is over")
            drawFrames(3, of: stage.window)
            stage.finishAll()
            iterate(until: { stage.shownCount == 10 }, "the pictures")
            stage.resize(height: 200)
            iterate(until: { stage.seenItems.count == 4 }, "a smaller window")
            for (picture, position) in stage.list.bound { stage.show(1000 + position, in: PictureView(picture)) }
            iterate(until: { stage.asked.count > 10 }, "the next pictures")
            drawFrames(3, of: stage.window)
            XCTAssertEqual(stage.asked.dropFirst(10), (1000..<1004).map { "\($0)" }[...])
            clock.advance(by: .seconds(1))
            iterate(until: { stage.asked.count > 14 }, "what is near")
        }
    }

    /// S0-3: as that of a host that does not answer.
    func testAPictureThatNeverComesKeepsTheOthersBackOnceAndNoMore() throws {
        try onMainThread {
            let (stage, clock) = try begun()
            defer { stage.close() }
            let (hanging, count) = (5, 10)
            for (index, load) in stage.loader.loads.enumerated() where index != hanging {
                load.finish(Colour.red.file)
            }
            iterate(until: { stage.shownCount == 9 }, "the other pictures")
            clock.advance(by: .seconds(1))
            iterate(until: { stage.asked.count == 30 }, "what is near")
            // Others that are visible still come before what is near.
            for (picture, position) in stage.list.bound where position < count && position != hanging {
                stage.show(1000 + position, in: PictureView(picture))
            }
            PictureList(stage.list.widget).loadWindow = LoadWindow(ahead: 3)
            iterate(until: { stage.asked.count >= 39 }, "the next visible pictures")
            drawFrames(3, of: stage.window)
            XCTAssertEqual(stage.asked.count, 39)
            for load in stage.loader.loads.suffix(9) { load.finish(Colour.red.file) }
            iterate(until: { stage.asked.count == 49 }, "what is near now")
            XCTAssertEqual(stage.asked.suffix(10), (30..<40).map { "\($0)" }[...])
        }
    }
}
