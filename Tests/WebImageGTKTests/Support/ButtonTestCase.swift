import CGtk4
import WebImage
import XCTest

@testable import WebImageGTK

/// What tests of buttons share.
class ButtonTestCase: ViewTestCase, @unchecked Sendable {
    /// Runs `body` with an empty button on the screen.
    func onButton(_ body: @MainActor (WidgetStage, ButtonView, TestStage) throws -> Void) throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_button_new())
            defer { stage.close() }
            try body(stage, ButtonView(stage.widget), TestStage())
        }
    }

    /// What all renderers draw in the middle of the button's picture.
    @MainActor
    func seen(_ button: ButtonView, _ stage: WidgetStage) throws -> Set<Colour> {
        settle(stage)
        return stage.middles(of: try XCTUnwrap(button.imageWidget))
    }

    /// The colour of the picture that is shown, whatever the theme does to it.
    @MainActor
    func shownColour(_ button: ButtonView) throws -> Colour {
        let paintable = try XCTUnwrap(try XCTUnwrap(button.imageWidget).picturePlace?.paintable)
        return Rendering(paintable, width: 8, height: 8).colour(x: 4, y: 4)
    }
}
