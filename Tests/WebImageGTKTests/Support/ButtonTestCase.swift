import CGtk4
import WebImage
import XCTest

@testable import WebImageGTK

/// Shared by the tests of buttons.
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

    /// The colour in the centre of the button's picture, by all renderers.
    @MainActor
    func seen(_ button: ButtonView, _ stage: WidgetStage) throws -> Set<Colour> {
        drawFrames(4, of: stage.window)
        return stage.middles(of: try XCTUnwrap(button.imageWidget))
    }

    /// The colour of the current picture, without the theme's effects.
    @MainActor
    func shownColour(_ button: ButtonView) throws -> Colour {
        let paintable = try XCTUnwrap(try XCTUnwrap(button.imageWidget).picturePlace?.paintable)
        return Rendering(paintable, width: 8, height: 8).colour(x: 4, y: 4)
    }
}
