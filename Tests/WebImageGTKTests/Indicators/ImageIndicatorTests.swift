import CGtk4
import CLinux
import Foundation
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Indicators as an app uses them: set on a view that loads.
final class ImageIndicatorTests: GTKTestCase, @unchecked Sendable {
    /// IND-5, S3-26, S3-27, S3-28: it shows over the placeholder from the beginning of the load to its end.
    func testItIsSeenWhileThePictureIsOnItsWay() throws {
        try onStage { stage, test in
            let indicator = try TestIndicator()
            stage.view.imageIndicator = indicator
            stage.view.setImage(with: test.url("a"), placeholder: try Colour.green.image(), context: test.context)
            XCTAssertEqual(redWidth(stage), 10)
            XCTAssertEqual(stage.view.image?.colour, .green)
            test.loader.loads[0].progress(1, of: 4)
            iterate(until: { indicator.events.contains(.progress(0.25)) }, "the progress")
            test.finish(test.url("a"), .blue)
            iterate(until: { stage.view.image?.colour == .blue }, "the picture")
            XCTAssertEqual(indicator.events, [.start, .progress(0.25), .stop])
            XCTAssertNil(redWidth(stage))
        }
    }

    /// IND-5, S3-27: of progress on another thread, the caller and the indicator get the latest number on the main
    /// thread, without blocking the load.
    func testWhatComesOnAnotherThreadReachesItOnTheMainThread() throws {
        try onStage { stage, test in
            let indicator = try TestIndicator()
            stage.view.imageIndicator = indicator
            let told = Recorder<Bool>()
            stage.view.setImage(
                with: test.url("a"), context: test.context,
                progress: { _ in told.append(webimage_is_main_thread() != 0) })
            let (load, reported) = (test.loader.loads[0], Recorder<Bool>())
            Thread {
                load.progress(1, of: 4)
                load.progress(3, of: 4)
                reported.append(true)
            }.start()
            wait("the end of the reports") { reported.values.count == 1 }
            XCTAssertEqual(told.values, [])
            XCTAssertEqual(indicator.events, [.start])
            iterate(until: { indicator.events.count > 1 && !told.values.isEmpty }, "the progress")
            XCTAssertEqual(told.values, [true])
            XCTAssertEqual(indicator.events, [.start, .progress(0.75)])
        }
    }

    /// IND-5, VIEW-7: hidden, however the load ends.
    func testItIsGoneAfterAFailureACancellationAndWithoutAURL() throws {
        try onStage { stage, test in
            stage.view.imageIndicator = try TestIndicator()
            var hasFailed = false
            stage.view.setImage(with: test.url("a"), context: test.context) { _ in hasFailed = true }
            XCTAssertEqual(redWidth(stage), 10)
            test.loader.loads[0].fail(.scripted)
            iterate(until: { hasFailed }, "the failure")
            XCTAssertNil(redWidth(stage))
            stage.view.setImage(with: test.url("b"), context: test.context)
            XCTAssertEqual(redWidth(stage), 10)
            stage.view.cancelCurrentImageLoad()
            XCTAssertNil(redWidth(stage))
            stage.view.setImage(with: test.url("c"), context: test.context)
            XCTAssertEqual(redWidth(stage), 10)
            stage.view.setImage(with: nil, context: test.context)
            XCTAssertNil(redWidth(stage))
        }
    }

    /// IND-4: regardless of which view of the widget had one before.
    func testOneIsSeenWhicheverViewOfTheWidgetItIsSetOn() throws {
        try onStage { stage, test in
            AnyWidgetView(stage.widgets[0]).imageIndicator = try TestIndicator()
            stage.view.setImage(with: test.url("a"), placeholder: try Colour.green.image(), context: test.context)
            XCTAssertEqual(redWidth(stage), 10)
            stage.view.imageIndicator = try TestIndicator()
            XCTAssertEqual(redWidth(stage), 10)
        }
    }

    /// IND-4, T4.7: after replacement there is one, which shows the running load.
    func testOneThatComesDuringALoadIsSeenAtOnce() throws {
        try onStage { stage, test in
            stage.view.setImage(with: test.url("a"), placeholder: try Colour.green.image(), context: test.context)
            for _ in 0..<3 {
                stage.view.imageIndicator = try TestIndicator()
                XCTAssertEqual(redWidth(stage), 10)
                XCTAssertEqual(stage.widgets[0].children.count, 1)
            }
            stage.view.imageIndicator = nil
            XCTAssertNil(redWidth(stage))
            XCTAssertEqual(stage.widgets[0].children, [])
        }
    }

    /// IND-4: the indicator of another load also covers a picture in a transition.
    func testItIsSeenDuringATransition() throws {
        try onStage { stage, test in
            stage.present(in: self)
            stage.view.imageTransition = .flipFromLeft
            stage.view.imageIndicator = try TestIndicator()
            var badge = test.context
            badge.setImageOperationKey = "badge"
            stage.view.setImage(with: test.url("b"), context: badge, setImage: { _, _, _, _ in })
            stage.view.setImage(with: test.url("a"), placeholder: try Colour.green.image(), context: test.context)
            test.finish(test.url("a"), .blue)
            iterate(until: { stage.view.display?.isAnimating == true }, "the transition")
            stage.time += 100_000
            XCTAssertEqual(redWidth(stage), 10)
            XCTAssertEqual(stage.view.display?.isAnimating, true)
            test.finish(test.url("b"), .blue)
            iterate(until: { redWidth(stage) == nil }, "the end of all loads")
        }
    }

    func testTheWidgetMayGoWhileItLoads() throws {
        try onMainThread {
            let (stage, test) = try staged()
            let live = LiveObjects()
            let indicators =
                [ActivityIndicator.white, ProgressIndicator.bar, CircularProgressIndicator.large]
                as [any WebImageIndicator]
            for indicator in indicators {
                let widget = stage.addPicture()
                live.watch(UnsafeMutableRawPointer(widget))
                PictureView(widget).imageIndicator = indicator
                PictureView(widget).setImage(with: test.url("a"), context: test.context)
            }
            stage.finishFrame(in: self)
            stage.close()
            XCTAssertEqual(live.watched, 3)
            XCTAssertEqual(live.count, 0)
            for indicator in indicators { XCTAssertNil(gtk_widget_get_parent(indicator.indicatorView)) }
        }
    }

    @MainActor
    private func staged() throws -> (Stage, TestStage) {
        try requireDisplay()
        return (Stage(), TestStage())
    }

    /// The width of the red indicator on the screen; nil when it is not visible.
    @MainActor
    private func redWidth(_ stage: Stage) -> Int? {
        stage.drawn(stage.widgets[0], in: self).bounds(of: .red).map { $0.right - $0.left + 1 }
    }
}
