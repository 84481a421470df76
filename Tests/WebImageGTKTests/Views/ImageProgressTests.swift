import CGtk4
import CLinux
import Foundation
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// A view's progress object, and its indicator.
final class ImageProgressTests: GTKTestCase, @unchecked Sendable {
    /// T4.7, VIEW-6, S4-5: the closure is called, and the object changes, on the main thread; the object ends at 1.
    func testTheProgressObjectFollowsTheLoad() throws {
        try onStage { stage, test in
            let progress = stage.view.imageProgress
            XCTAssertTrue(stage.view.imageProgress === progress)
            var seen: [LoadProgress] = []
            stage.view.setImage(
                with: test.url("a"), context: test.context,
                progress: {
                    XCTAssertTrue(webimage_is_main_thread() != 0)
                    seen.append($0)
                })
            XCTAssertEqual([progress.completedUnitCount, progress.totalUnitCount], [0, -1])
            XCTAssertTrue(progress.isIndeterminate)
            let told = DispatchSemaphore(value: 0)
            let load = test.loader.loads[0]
            // The main thread is blocked here, so nothing is told there.
            DispatchQueue.global().async {
                for count in [0, 1] { load.progress(count, of: 4) }
                told.signal()
            }
            told.wait()
            XCTAssertEqual(seen, [])
            XCTAssertEqual([progress.completedUnitCount, progress.totalUnitCount], [0, -1])
            iterate(until: { progress.fractionCompleted == 0.25 && !seen.isEmpty }, "the number")
            XCTAssertEqual(seen.map(\.receivedByteCount), [1], "the latest one")
            var fraction: Double?
            stage.view.setImage(with: test.url("a"), options: .avoidAutoCancelImage, context: test.context) { _ in
                fraction = progress.fractionCompleted
            }
            test.finish(test.url("a"), .blue)
            iterate(until: { fraction != nil }, "the picture")
            XCTAssertEqual(fraction, 1)
        }
    }

    /// VIEW-6, S3-28: an object of the app's; a picture from memory ends it at 1, too.
    func testAProgressOfTheAppIsUsed() throws {
        try onStage { stage, test in
            test.cache.storeInMemory(try Colour.blue.image(), for: CacheKey(test.url("a").absoluteString))
            let own = Progress(totalUnitCount: 100)
            stage.view.imageProgress = own
            XCTAssertEqual(own.totalUnitCount, 100)
            stage.view.setImage(with: test.url("a"), context: test.context)
            XCTAssertTrue(stage.view.imageProgress === own)
            XCTAssertEqual([own.completedUnitCount, own.totalUnitCount], [1, 1])
            XCTAssertTrue(stage.view.imageLoadState()?.progress === own)
            // Again: Foundation's own cannot be reset to 0 of 0.
            stage.view.setImage(with: test.url("b"), context: test.context)
            XCTAssertEqual(own.fractionCompleted, 0)
            test.loader.loads[0].progress(5)
            XCTAssertTrue(own.isIndeterminate)
        }
    }

    /// VIEW-6, S4-5: a progress without a lock, whose children are updated from two threads.
    func testViewsThatLoadAtTheSameTimeMayHaveOneParent() throws {
        try onMainThread {
            try requireDisplay()
            let (stage, test) = (Stage(pictures: 2), TestStage())
            defer { stage.close() }
            let parent = Progress(totalUnitCount: 2)
            for (widget, name) in zip(stage.widgets, ["a", "b"]) {
                parent.addChild(PictureView(widget).imageProgress, withPendingUnitCount: 1)
                PictureView(widget).setImage(with: test.url(name), context: test.context)
            }
            let loads = test.loader.loads
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                for count in 1...2000 { loads[index].progress(count, of: 4000) }
            }
            iterate(until: { abs(parent.fractionCompleted - 0.5) < 1e-9 }, "half of both")
            for load in loads { load.finish(Colour.red.file) }
            iterate(until: { stage.widgets.allSatisfy { PictureView($0).image != nil } }, "the pictures")
            XCTAssertEqual(parent.fractionCompleted, 1)
            XCTAssertTrue(parent.isFinished)
        }
    }

    /// The current progress of the thread does not become the parent of a view's progress.
    func testAProgressOfAViewHasNoParent() throws {
        try onStage { stage, _ in
            let parent = Progress(totalUnitCount: 1)
            parent.becomeCurrent(withPendingUnitCount: 1)
            let progress = stage.view.imageProgress
            progress.totalUnitCount = 1
            progress.completedUnitCount = 1
            XCTAssertEqual(parent.fractionCompleted, 0)
            parent.resignCurrent()
        }
    }

    /// T4.7, IND-5: it starts with the load, gets received by expected on the main thread, and stops at the end.
    func testTheIndicatorFollowsTheLoad() throws {
        try onStage { stage, test in
            let indicator = try TestIndicator()
            stage.view.imageIndicator = indicator
            XCTAssertTrue(stage.view.imageIndicator === indicator)
            stage.view.setImage(with: test.url("a"), context: test.context)
            let load = test.loader.loads[0]
            DispatchQueue.global().async { load.progress(1, of: 4) }
            iterate(until: { indicator.events.count == 2 }, "the number")
            XCTAssertEqual(indicator.events, [.start, .progress(0.25)])
            test.finish(test.url("a"), .blue)
            iterate(until: { stage.view.image != nil }, "the picture")
            XCTAssertEqual(indicator.events, [.start, .progress(0.25), .stop])
        }
    }

    /// T4.7, IND-4: another indicator replaces the former one, which is stopped and not used any more.
    func testReplacingTheIndicatorWhileItRuns() throws {
        try onStage { stage, test in
            let (former, latter) = (try TestIndicator(), try TestIndicator())
            stage.view.imageIndicator = former
            stage.view.setImage(with: test.url("a"), context: test.context)
            stage.view.imageIndicator = latter
            stage.view.cancelCurrentImageLoad()
            stage.view.imageIndicator = nil
            XCTAssertEqual(former.events, [.start, .stop])
            XCTAssertEqual(latter.events, [.start, .stop])
        }
    }

    /// The widget is destroyed while its indicator runs: neither is touched afterwards.
    func testTheIndicatorGoesWithItsWidget() throws {
        try onMainThread {
            let (stage, test) = try staged()
            stage.view.imageIndicator = try TestIndicator()
            weak let indicator = stage.view.imageIndicator
            stage.view.setImage(with: test.url("a"), context: test.context)
            XCTAssertNotNil(indicator)
            stage.close()
            XCTAssertNil(indicator)
        }
    }

    @MainActor
    private func staged() throws -> (Stage, TestStage) {
        try requireDisplay()
        return (Stage(), TestStage())
    }
}
