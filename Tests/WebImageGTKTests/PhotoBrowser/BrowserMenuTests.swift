import CGtk4
import WebImage
import WebImageTestLoads
import XCTest

@testable import WebImageGTK

/// The menu of the button for actions, when its button goes.
final class BrowserMenuTests: GTKTestCase, @unchecked Sendable {
    /// MW-37 A menu is over when its button moves to the toolbar, as when one photo becomes two: the controls hide then.
    func testMovedButton() throws {
        try onMainThread { try requireSeat() }
        try onBrowser(1) {
            $0.browser.displayNavArrows = true
        } test: { stage in
            load(in: stage)
            iterate(until: { stage.browser.panels.controls.content.canAct }, "the bars know of the photo")
            stage.browser.perform(.action)
            let popover = try XCTUnwrap(stage.browser.panels.controls.button(of: .action)?.children.last)
            iterate(until: { gtk_widget_get_mapped(popover) != 0 }, "the menu is open")
            stage.app.photos.append(BrowserStage.photo(1, stage.manager))
            stage.browser.reloadData()
            XCTAssertNil(stage.browser.panels.menu)
            stage.clock.advance(by: .seconds(5))
            XCTAssertFalse(stage.browser.areControlsVisible)
        }
    }
}
