import Dispatch
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// How often the delegate hears of a load.
final class BrowserTellingTests: GTKTestCase, @unchecked Sendable {
    /// Runs the main loop until what is waiting for its next turn has been called.
    @MainActor
    private func passATurn() {
        var hasPassed = false
        DispatchQueue.main.async { MainActor.assumeIsolated { hasPassed = true } }
        iterate(until: { hasPassed }, "the turn of the main loop")
    }

    /// S2-8 The failure of a photo that is refused at once, because its address has failed before, is told once.
    func testRefusal() throws {
        try onBrowser {
            $0.app.photos[4] = BrowserStage.photo(0, $0.manager)
        } test: { stage in
            awaitLoad(in: stage)
            for load in stage.pending(0) {
                load.fail(WebImageError(.badImageData, stage: .decode, kind: .permanent, reason: "no picture"))
            }
            awaitComplaint(in: stage)
            _ = stage.app.takeEvents()
            stage.browser.setCurrentPhotoIndex(4)
            passATurn()
            XCTAssertEqual(stage.app.photos[4].error?.code, .blockedURL)
            XCTAssertEqual(stage.app.takeEvents(), ["display 4", "fail 4"])
        }
    }

    /// S2-8 A load that is tried again, by the person or on the return to its page, and fails again is told again.
    func testSecondFailure() throws {
        try onBrowser { stage in
            for isReturn in [false, true, true] {
                awaitLoad(in: stage)
                stage.fail(0)
                iterate(until: { stage.app.takeEvents().contains("fail 0") }, "the delegate has heard")
                guard isReturn else {
                    press(stage.browser.pages.status.retryButton)
                    continue
                }
                stage.browser.showNextPhoto(animated: false)
                stage.browser.showPreviousPhoto(animated: false)
            }
        }
    }
}
