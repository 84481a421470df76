import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Pictures and backgrounds of buttons, for each state.
final class ButtonViewTests: ViewTestCase, @unchecked Sendable {
    /// VIEW-14, VIEW-5: the picture for the state that the button is in, and the usual one where there is none.
    func testAButtonShowsThePictureOfItsState() throws {
        try onMainThread {
            let (stage, button) = try shownButton()
            defer { stage.close() }
            let test = TestStage()
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

    /// VIEW-14: a pressed and a checked button, and one that is more than one thing.
    func testAButtonShowsThePicturesOfStrongStatesAndOfCombinations() throws {
        try onMainThread {
            let (stage, button) = try shownButton()
            defer { stage.close() }
            let test = TestStage()
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

    /// VIEW-14, VIEW-15: text and closures load as a URL does, for each place.
    func testEveryFormOfTheCall() throws {
        try onMainThread {
            let (stage, button) = try shownButton()
            defer { stage.close() }
            let test = TestStage()
            let (url, context) = (test.url("a"), test.context)
            let text = url.absoluteString
            test.cache.storeInMemory(try Colour.blue.image(), for: CacheKey(text))
            var story: [String] = []
            let end: (Result<LoadResult, WebImageError>) -> Void = { _ in story.append("end") }
            let show: ButtonView.SetImage = { image, _, _, _ in if image != nil { story.append("set") } }
            button.setImage(with: text, for: .active, context: context) { end($0) }
            XCTAssertEqual(button.imageURL(for: .active), url)
            button.setImage(with: text, for: .active, context: context, progress: nil, completed: end)
            button.setImage(with: url, for: .active, context: context, setImage: show) { end($0) }
            button.setImage(with: text, for: .active, context: context, setImage: show, completed: end)
            button.setBackgroundImage(with: text, context: context) { end($0) }
            XCTAssertEqual(button.backgroundImageURL(for: .normal), url)
            button.setBackgroundImage(with: text, for: .active, context: context, progress: nil, completed: end)
            button.setBackgroundImage(with: url, context: context, setImage: show) { end($0) }
            button.setBackgroundImage(with: text, context: context, setImage: show, completed: end)
            button.setAlternateImage(with: text, context: context) { end($0) }
            XCTAssertEqual(button.currentAlternateImageURL, url)
            button.setAlternateImage(with: text, context: context, progress: nil, completed: end)
            button.setAlternateImage(with: url, context: context, setImage: show) { end($0) }
            button.setAlternateImage(with: text, context: context, setImage: show, completed: end)
            let each = ["end", "end", "set", "end", "set", "end"]
            XCTAssertEqual(story, each + each + each)
        }
    }

    /// VIEW-14: loads of different states do not disturb each other.
    func testStatesAreIndependent() throws {
        try onMainThread {
            let (stage, button) = try shownButton()
            defer { stage.close() }
            let test = TestStage()
            var endings: [String] = []
            for (name, state) in [("a", ButtonState.normal), ("b", .checked)] {
                button.setImage(with: test.url(name), for: state, context: test.context) {
                    endings.append(name + "\($0.isCancelled)")
                }
                button.setBackgroundImage(with: test.url("back" + name), for: state, context: test.context) {
                    endings.append("back" + name + "\($0.isCancelled)")
                }
            }
            XCTAssertEqual(test.pending.count, 4)
            button.cancelImageLoad(for: .checked)
            XCTAssertEqual(endings, ["btrue"])
            button.cancelBackgroundImageLoad(for: .normal)
            XCTAssertEqual(endings, ["btrue", "backatrue"])
            test.finish(test.url("a"), .red)
            test.finish(test.url("backb"), .blue)
            iterate(until: { endings.count == 4 }, "the other two")
            XCTAssertEqual(Set(endings.suffix(2)), ["afalse", "backbfalse"])
            XCTAssertEqual(button.image(for: .normal)?.colour, .red)
            XCTAssertNil(button.image(for: .checked))
            XCTAssertEqual(button.backgroundImage(for: .checked)?.colour, .blue)
            XCTAssertNil(button.backgroundImage(for: .normal))
        }
    }

    /// A92, VIEW-14: a background's load has its options, and a key of its own.
    func testABackgroundsOptionsReachItsLoad() throws {
        try onMainThread {
            let (stage, button) = try shownButton()
            defer { stage.close() }
            let test = TestStage()
            var arrived: Colour?
            button.setBackgroundImage(
                with: test.url("a"), for: .prelight, options: .avoidAutoSetImage, context: test.context
            ) { arrived = try? $0.get().image.colour }
            XCTAssertEqual(button.latestOperationKey, "ButtonBackgroundImageOperation2")
            test.finish(test.url("a"), .red)
            iterate(until: { arrived != nil }, "the completion")
            XCTAssertNil(button.backgroundImage(for: .prelight))
        }
    }

    /// B12, VIEW-14: the URL for the state that the button is in; where that has none, the usual one.
    func testTheCurrentURLFallsBackToThatOfTheNormalState() throws {
        try onMainThread {
            let (stage, button) = try shownButton()
            defer { stage.close() }
            let test = TestStage()
            XCTAssertNil(button.currentImageURL)
            XCTAssertNil(button.currentBackgroundImageURL)
            button.setImage(with: test.url("usual"), for: .normal, context: test.context)
            button.setImage(with: test.url("hover"), for: .prelight, context: test.context)
            button.setBackgroundImage(with: test.url("back"), context: test.context)
            XCTAssertEqual(button.currentImageURL, test.url("usual"))
            gtk_widget_set_state_flags(stage.widget, GTK_STATE_FLAG_PRELIGHT, 0)
            XCTAssertEqual(button.currentImageURL, test.url("hover"))
            XCTAssertEqual(button.currentBackgroundImageURL, test.url("back"))
            gtk_widget_set_state_flags(stage.widget, GTK_STATE_FLAG_ACTIVE, 1)
            XCTAssertEqual(button.currentImageURL, test.url("usual"))
            XCTAssertEqual(button.imageURL(for: .prelight), test.url("hover"))
            XCTAssertNil(button.imageURL(for: .active))
            XCTAssertNil(button.backgroundImageURL(for: .prelight))
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

    /// VIEW-15: it has a load of its own.
    func testTheAlternatePicturesLoadIsCancelledAlone() throws {
        try onMainThread {
            let (stage, button) = try shownButton()
            defer { stage.close() }
            let test = TestStage()
            var endings: [Bool] = []
            button.setImage(with: test.url("a"), context: test.context)
            button.setAlternateImage(with: test.url("b"), context: test.context) { endings.append($0.isCancelled) }
            button.cancelCurrentAlternateImageLoad()
            XCTAssertEqual(endings, [true])
            XCTAssertEqual(test.pending.count, 1)
        }
    }

    // MARK: Widgets within

    func testAButtonWithoutAChildGetsAPicture() throws {
        try onMainThread {
            let (stage, button) = try shownButton()
            defer { stage.close() }
            button.setImage(with: nil)
            XCTAssertNil(stage.widget.buttonChild, "nothing is to be shown")
            load(.red, in: button, TestStage())
            XCTAssertEqual(stage.widget.buttonChild, button.imageWidget)
            XCTAssertNotEqual(gtk_widget_has_css_class(stage.widget, "image-button"), 0)
        }
    }

    /// VIEW-14: the label is where it was, with the picture before it, in either reading direction.
    func testThePictureStandsBesideTheLabel() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_button_new_with_label("Ada Lovelace"))
            defer { stage.close() }
            let button = ButtonView(stage.widget)
            let label = try XCTUnwrap(stage.widget.buttonChild)
            let (width, height) = (gtk_widget_get_width(stage.widget), gtk_widget_get_height(stage.widget))
            load(.red, in: button, TestStage())
            settle(stage)
            let picture = try XCTUnwrap(button.imageWidget)
            XCTAssertEqual(stage.widget.buttonChild, label)
            XCTAssertEqual(
                gtk_button_get_label(stage.widget.of(GtkButton.self)).map { String(cString: $0) }, "Ada Lovelace")
            XCTAssertEqual(gtk_widget_get_width(picture), 16)
            XCTAssertGreaterThanOrEqual(gtk_widget_get_width(stage.widget), width + 16)
            XCTAssertEqual(gtk_widget_get_height(stage.widget), height)
            XCTAssertEqual(x(of: label, in: stage) - x(of: picture, in: stage), 22, accuracy: 0.1)
            XCTAssertEqual(stage.middles(of: picture), [.red])
            gtk_widget_set_direction(stage.widget, GTK_TEXT_DIR_RTL)
            settle(stage)
            let end = x(of: label, in: stage) + Double(gtk_widget_get_width(label))
            XCTAssertEqual(x(of: picture, in: stage) - end, 6, accuracy: 0.1)
        }
    }

    func testTheButtonsOwnIconMakesRoomAndComesBack() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_button_new_from_icon_name("open-menu-symbolic"))
            defer { stage.close() }
            let button = ButtonView(stage.widget)
            let icon = try XCTUnwrap(stage.widget.buttonChild)
            load(.red, in: button, TestStage())
            XCTAssertEqual(button.imageWidget, icon)
            XCTAssertEqual(try seen(button, stage), [.red])
            button.image = nil
            let name = gtk_button_get_icon_name(stage.widget.of(GtkButton.self)).map { String(cString: $0) }
            XCTAssertEqual(name, "open-menu-symbolic")
            XCTAssertEqual(gtk_image_get_storage_type(OpaquePointer(icon)), GTK_IMAGE_ICON_NAME)
        }
    }

    /// What the app does to its own button while pictures are shown.
    func testThePicturesStayWhenTheAppChangesTheButton() throws {
        try onMainThread {
            let (stage, button) = try shownButton()
            defer { stage.close() }
            load(.red, in: button, TestStage())
            gtk_button_set_label(stage.widget.of(GtkButton.self), "Ada")
            XCTAssertEqual(try seen(button, stage), [.red])
            XCTAssertNotEqual(stage.widget.buttonChild, button.imageWidget)
            gtk_button_set_label(stage.widget.of(GtkButton.self), "Grace")
            XCTAssertEqual(try seen(button, stage), [.red])
            gtk_button_set_child(stage.widget.of(GtkButton.self), nil)
            XCTAssertEqual(try seen(button, stage), [.red])
            button.image = nil
            XCTAssertNil(button.image)
            load(.blue, in: button, TestStage())
            XCTAssertEqual(try seen(button, stage), [.blue])
        }
    }

    /// What the app itself shows in a state is that state's picture.
    func testTheAppsOwnPictureIsThatOfTheNormalState() throws {
        try onMainThread {
            let (stage, button) = try shownButton()
            defer { stage.close() }
            let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
            let own = PaintableHandle(StillContent(try Colour.red.image(width: 16, height: 16)))
            gtk_picture_set_paintable(OpaquePointer(picture), own.pointer)
            gtk_button_set_child(stage.widget.of(GtkButton.self), picture)
            load(.green, in: button.imageView(for: .prelight), TestStage())
            XCTAssertEqual(try seen(button, stage), [.red])
            gtk_widget_set_state_flags(stage.widget, GTK_STATE_FLAG_PRELIGHT, 0)
            XCTAssertEqual(try seen(button, stage), [.green])
            gtk_widget_unset_state_flags(stage.widget, GTK_STATE_FLAG_PRELIGHT)
            XCTAssertEqual(gtk_picture_get_paintable(OpaquePointer(picture)), own.pointer)
            XCTAssertNil(button.image)
        }
    }

    // MARK: Backgrounds

    /// VIEW-14: behind the label, over all of the content area, and never larger than the button.
    func testABackgroundLiesBehindAllElse() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_button_new_with_label("Ada"))
            defer { stage.close() }
            let button = ButtonView(stage.widget)
            let (width, height) = (gtk_widget_get_width(stage.widget), gtk_widget_get_height(stage.widget))
            button.backgroundView(for: .normal).image = try Colour.blue.image(width: 500, height: 300)
            settle(stage)
            XCTAssertEqual([gtk_widget_get_width(stage.widget), gtk_widget_get_height(stage.widget)], [width, height])
            let background = try XCTUnwrap(button.backgroundWidget)
            XCTAssertEqual(stage.middles(of: background), [.blue])
            XCTAssertEqual(gtk_widget_get_parent(background), gtk_widget_get_first_child(stage.widget))
            let label = try XCTUnwrap(stage.widget.buttonChild)
            XCTAssertEqual(stage.colours(1, 1, of: background), [.blue])
            XCTAssertTrue(hasOtherColour(than: .blue, under: label, stage), "the label is seen")
        }
    }

    func testBackgroundsFollowTheStateToo() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_toggle_button_new_with_label("Ada"))
            defer { stage.close() }
            let (button, test) = (ButtonView(OpaquePointer(stage.widget)), TestStage())
            load(.red, in: button.backgroundView(for: .normal), test)
            load(.green, in: button.backgroundView(for: .checked), test)
            let background = try XCTUnwrap(button.backgroundWidget)
            settle(stage)
            XCTAssertEqual(stage.middles(of: background), [.red])
            gtk_toggle_button_set_active(stage.widget.of(GtkToggleButton.self), 1)
            settle(stage)
            XCTAssertEqual(stage.middles(of: background), [.green])
        }
    }

    /// An indicator over a button with a label and a picture leaves both where they are, whichever came first.
    func testAnIndicatorLeavesLabelAndPictureSideBySide() throws {
        try onMainThread {
            try requireDisplay()
            for isIndicatorFirst in [true, false] {
                let stage = try shown(gtk_button_new_with_label("Ada Lovelace"))
                let button = ButtonView(stage.widget)
                let indicator = ActivityIndicator()
                if isIndicatorFirst { button.imageIndicator = indicator }
                button.image = try Colour.red.image()
                button.imageIndicator = indicator
                settle(stage)
                let label = try XCTUnwrap(stage.widget.buttonChild)
                let picture = try XCTUnwrap(button.imageWidget)
                XCTAssertEqual(x(of: label, in: stage) - x(of: picture, in: stage), 22, accuracy: 0.1)
                button.imageIndicator = nil
                settle(stage)
                XCTAssertEqual(x(of: label, in: stage) - x(of: picture, in: stage), 22, accuracy: 0.1)
                XCTAssertEqual(stage.middles(of: picture), [.red])
                stage.close()
            }
        }
    }

    /// A picture for another state than the present one is there at once; nobody sees it come.
    func testOnlyThePictureThatIsSeenGetsATransition() throws {
        try onMainThread {
            let (stage, button) = try shownButton()
            defer { stage.close() }
            let test = TestStage()
            load(.red, in: button, test)
            settle(stage)
            button.imageTransition = .fade(duration: 60)
            let hover = button.imageView(for: .prelight)
            load(.green, in: hover, test)
            XCTAssertFalse(isAnimating(hover))
            load(.blue, in: button, test)
            XCTAssertTrue(isAnimating(button))
            gtk_widget_set_state_flags(stage.widget, GTK_STATE_FLAG_PRELIGHT, 0)
            XCTAssertEqual(try seen(button, stage), [.green])
        }
    }

    // MARK: Menu buttons

    /// VIEW-14: a menu button has the states of the button within.
    func testAMenuButtonsArrowMakesRoom() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_menu_button_new())
            defer { stage.close() }
            let (button, test) = (ButtonView(stage.widget), TestStage())
            // Without a menu it cannot be used at all.
            gtk_menu_button_set_popover(OpaquePointer(stage.widget), gtk_popover_new())
            load(.red, in: button, test)
            load(.green, in: button.imageView(for: .prelight), test)
            load(.blue, in: button.backgroundView(for: .normal), test)
            XCTAssertEqual(gtk_menu_button_get_child(OpaquePointer(stage.widget)), button.imageWidget)
            XCTAssertEqual(try seen(button, stage), [.red])
            let inner = stage.widget.children[0]
            gtk_widget_set_state_flags(inner, GTK_STATE_FLAG_PRELIGHT, 0)
            XCTAssertEqual(button.state, .prelight)
            XCTAssertEqual(try seen(button, stage), [.green])
            gtk_widget_unset_state_flags(inner, GTK_STATE_FLAG_PRELIGHT)
            XCTAssertEqual(try seen(button, stage), [.red])
        }
    }

    func testAMenuButtonsLabelAndIconStay() throws {
        try onMainThread {
            try requireDisplay()
            for hasLabel in [true, false] {
                let stage = try shown(gtk_menu_button_new())
                let menuButton = OpaquePointer(stage.widget)
                gtk_menu_button_set_popover(menuButton, gtk_popover_new())
                if hasLabel {
                    gtk_menu_button_set_label(menuButton, "Ada")
                } else {
                    gtk_menu_button_set_icon_name(menuButton, "open-menu-symbolic")
                }
                let button = ButtonView(stage.widget)
                load(.red, in: button, TestStage())
                XCTAssertEqual(try seen(button, stage), [.red], "has a label: \(hasLabel)")
                let label = gtk_menu_button_get_label(menuButton).map { String(cString: $0) }
                XCTAssertEqual(label == "Ada", hasLabel)
                button.image = nil
                let icon = gtk_menu_button_get_icon_name(menuButton).map { String(cString: $0) }
                XCTAssertEqual(icon == "open-menu-symbolic", !hasLabel)
                stage.close()
            }
        }
    }

    // MARK: Support

    @MainActor
    private func shownButton() throws -> (WidgetStage, ButtonView) {
        try requireDisplay()
        let stage = try shown(gtk_button_new())
        return (stage, ButtonView(stage.widget))
    }

    /// What all renderers draw in the middle of the button's picture.
    @MainActor
    private func seen(_ button: ButtonView, _ stage: WidgetStage) throws -> Set<Colour> {
        settle(stage)
        return stage.middles(of: try XCTUnwrap(button.imageWidget))
    }

    /// The colour of the picture that is shown, whatever the theme does to it.
    @MainActor
    private func shownColour(_ button: ButtonView) throws -> Colour {
        let paintable = try XCTUnwrap(try XCTUnwrap(button.imageWidget).picturePlace?.paintable)
        return Rendering(paintable, width: 8, height: 8).colour(x: 4, y: 4)
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

    @MainActor
    private func x(of widget: UnsafeMutablePointer<GtkWidget>, in stage: WidgetStage) -> Double {
        stage.point(0, 0, of: widget).x
    }

    @MainActor
    private func hasOtherColour(
        than colour: Colour, under widget: UnsafeMutablePointer<GtkWidget>, _ stage: WidgetStage
    ) -> Bool {
        let middle = Double(gtk_widget_get_height(widget)) / 2
        let columns = (0..<Int(gtk_widget_get_width(widget))).map { stage.point(Double($0), middle, of: widget) }
        return stage.screenshots().allSatisfy { pixels in
            columns.contains { pixels.colour(x: Int($0.x), y: Int($0.y)) != colour }
        }
    }
}
