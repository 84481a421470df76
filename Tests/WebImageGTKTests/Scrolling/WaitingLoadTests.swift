import CGtk4
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// For the app, a load that waits for a size is a running load.
final class WaitingLoadTests: GTKTestCase, @unchecked Sendable {
    /// VIEW-6, VIEW-10, VIEW-12: for the app, a waiting load is a running load.
    func testALoadThatWaitsForASizeIsHandedOutAndCanBeCancelled() throws {
        try onList(pictures: 1, size: nil) { stage in
            stage.view(0).imageProgress.totalUnitCount = 1
            stage.view(0).imageProgress.completedUnitCount = 1
            let endings = Recorder<Bool>()
            let operation = try XCTUnwrap(stage.bind(0, to: "a") { endings.append($0.isCancelled) })
            XCTAssertTrue(stage.view(0).imageLoadOperation() === operation)
            XCTAssertEqual(stage.view(0).imageProgress.completedUnitCount, 0)
            operation.cancel()
            XCTAssertEqual(endings.values, [true])
            XCTAssertTrue(operation.isCancelled)
            XCTAssertNil(stage.view(0).imageLoadOperation())
            stage.show()
            iterate(until: { stage.isOnScreen || gtk_widget_get_mapped(stage.pictures[0]) != 0 }, "the window")
            drawFrames(stage, 4)
            XCTAssertEqual(stage.asked, [])
        }
    }

    /// MGR-5: cancelling all loads of a manager, as at a logout, ends loads that wait for a size, too.
    func testTheManagerCancelsWhatWaits() throws {
        try onList(pictures: 1, size: nil) { stage in
            let endings = Recorder<Bool>()
            stage.bind(0, to: "a") { endings.append($0.isCancelled) }
            XCTAssertTrue(stage.manager.isRunning)
            stage.manager.cancelAll()
            iterate(until: { endings.values == [true] }, "the end")
            XCTAssertFalse(stage.manager.isRunning)
            stage.present(in: self)
            drawFrames(stage, 4)
            XCTAssertEqual(stage.asked, [])
        }
    }

    /// VIEW-12: the operation stays the same when the load begins.
    func testTheOperationOfALoadThatWaitedIsThatOfTheLoad() throws {
        try onList(pictures: 1, size: nil) { stage in
            let endings = Recorder<Bool>()
            let operation = try XCTUnwrap(stage.bind(0, to: "a") { endings.append($0.isCancelled) })
            stage.show()
            iterate(until: { stage.asked == ["a"] }, "the load")
            XCTAssertTrue(stage.view(0).imageLoadOperation() === operation)
            XCTAssertEqual(stage.loader.loads[0].priority, LoadPriority(inView: [], isSeen: true))
            operation.cancel()
            XCTAssertTrue(stage.loader.loads[0].isCancelled)
            XCTAssertEqual(endings.values, [true])
            XCTAssertFalse(stage.manager.isRunning)
        }
    }

    func testALoadThatIsReplacedWhileItWaitsForASizeNeverBegins() throws {
        try onList(pictures: 1, size: nil) { stage in
            let endings = Recorder<String>()
            stage.bind(0, to: "a") { endings.append($0.isCancelled ? "a cancelled" : "a") }
            stage.bind(0, to: "b") { endings.append($0.isCancelled ? "b cancelled" : "b") }
            XCTAssertEqual(endings.values, ["a cancelled"])
            stage.show()
            iterate(until: { stage.asked == ["b"] }, "the load")
            stage.view(0).cancelCurrentImageLoad()
            XCTAssertEqual(endings.values, ["a cancelled", "b cancelled"])
        }
    }
}
