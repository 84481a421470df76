import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The visible picture of a button.
final class ButtonViewTests: ButtonTestCase, @unchecked Sendable {
    /// VIEW-14, VIEW-5: the picture for the present state, and the usual one where there is none.
    func testAButtonShowsThePictureOfItsState() throws {
        try onButton { stage, button, test in
            load(.red, in: button, test)
            load(.green, in: button.imageView(for: .prelight), test)
            load(.blue, in: button.imageView(for: .insensitive), test)
            XCTAssertEqual(try seen(button, stage), [.red])
            gtk_widget_set_state_flags(stage.widget, GTK_STATE_FLAG_PRELIGHT, 0)
            XCTAssertEqual(try seen(button, stage), [.green])
            gtk_widget_set_sensitive(stage.widget, 0)
            XCTAssertEqual(button.state, .insensitive)
            XCTAssertEqual(try shownColour(button), .blue)
            gtk_widget_unset_state_flags(stage.widget, GTK_STATE_FLAG_PRELIGHT)
            gtk_widget_set_sensitive(stage.widget, 1)
            gtk_widget_set_state_flags(stage.widget, GTK_STATE_FLAG_ACTIVE, 0)
            XCTAssertEqual(try shownColour(button), .red)
        }
    }

    /// VIEW-14: a pressed and a checked button, and combinations of states.
    func testAButtonShowsThePicturesOfStrongStatesAndOfCombinations() throws {
        try onButton { stage, button, test in
            let (grey, white) = (Colour(red: 90, green: 90, blue: 90), Colour(red: 255, green: 255, blue: 255))
            load(.red, in: button, test)
            load(.green, in: button.imageView(for: .active), test)
            load(.blue, in: button.imageView(for: .checked), test)
            load(grey, in: button.imageView(for: [.checked, .prelight]), test)
            load(white, in: button.backgroundView(for: [.active, .checked]), test)
            let expected: [(ButtonState, Colour, Colour?)] = [
                (.active, .green, nil), (.checked, .blue, nil), ([.checked, .prelight], grey, nil),
                ([.active, .checked], .green, white), ([.active, .prelight], .green, nil), (.prelight, .red, nil),
                ([.active, .checked, .prelight], grey, white), (.normal, .red, nil),
            ]
            for (state, picture, background) in expected {
                gtk_widget_set_state_flags(stage.widget, GtkStateFlags(rawValue: state.rawValue), 0)
                XCTAssertEqual(try shownColour(button), picture, "\(state)")
                XCTAssertEqual(backgroundColour(button), background, "\(state)")
                gtk_widget_unset_state_flags(stage.widget, GtkStateFlags(rawValue: state.rawValue))
            }
        }
    }

    /// VIEW-15
    func testACheckedButtonShowsItsAlternatePicture() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_toggle_button_new())
            defer { stage.close() }
            let (button, test) = (ButtonView(stage.widget), TestStage())
            load(.red, in: button, test)
            button.setAlternateImage(with: test.url("alternate"), context: test.context)
            XCTAssertEqual(button.currentAlternateImageURL, test.url("alternate"))
            XCTAssertEqual(button.currentImageURL, test.url("\(Colour.red.channels)"))
            test.finish(test.url("alternate"), .blue)
            iterate(until: { button.alternateImage != nil }, "the alternate picture")
            XCTAssertEqual(try shownColour(button), .red)
            gtk_toggle_button_set_active(stage.widget.of(GtkToggleButton.self), 1)
            XCTAssertEqual(try seen(button, stage), [.blue])
            gtk_toggle_button_set_active(stage.widget.of(GtkToggleButton.self), 0)
            XCTAssertEqual(try seen(button, stage), [.red])
        }
    }

    /// A picture for another state changes at once, because it is invisible.
    func testOnlyThePictureThatIsSeenGetsATransition() throws {
        try onButton { stage, button, test in
            load(.red, in: button, test)
            drawFrames(4, of: stage.window)
            button.imageTransition = .fade(duration: .seconds(60))
            let hover = button.imageView(for: .prelight)
            load(.green, in: hover, test)
            XCTAssertFalse(isAnimating(hover))
            load(.blue, in: button, test)
            XCTAssertTrue(isAnimating(button))
            gtk_widget_set_state_flags(stage.widget, GTK_STATE_FLAG_PRELIGHT, 0)
            XCTAssertEqual(try seen(button, stage), [.green])
        }
    }

    @MainActor
    private func backgroundColour(_ button: ButtonView) -> Colour? {
        button.backgroundWidget?.picturePlace?.paintable.map {
            Rendering($0, width: 8, height: 8).colour(x: 4, y: 4)
        }
    }

    @MainActor
    private func isAnimating(_ button: ButtonView) -> Bool {
        Coordinator.of(button.widget).surface.display(of: button)?.isAnimating ?? false
    }
}
