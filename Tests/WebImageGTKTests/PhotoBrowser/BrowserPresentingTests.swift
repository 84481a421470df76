import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// A browser that is presented from a thumbnail, and closed into one.
final class BrowserPresentingTests: GTKTestCase, @unchecked Sendable {
    /// The picture flies from its thumbnail to its page, and the thumbnail is hidden meanwhile.
    func testArrival() throws {
        try onThumbnails { stage in
            present(stage)
            XCTAssertTrue(stage.browser.isPresented)
            XCTAssertEqual(opacity(stage, 0), 0)
            let start = try XCTUnwrap(stage.browser.pages.flight.pose)
            XCTAssertEqual(start.place.clip.size, PointSize(width: 100, height: 100))
            XCTAssertEqual(start.ground, 0)
            XCTAssertEqual(stage.animator.running.map(\.duration), [PictureFlight.duration])
            stage.animator.advance(to: 0.5)
            let middle = try XCTUnwrap(stage.browser.pages.flight.pose)
            XCTAssertEqual(middle.place.frame.size.width, 350, accuracy: 0.5)
            XCTAssertEqual(middle.ground, 0.5, accuracy: 0.01)
            XCTAssertFalse(stage.browser.panels.controls.isVisible)
            stage.animator.finish()
            XCTAssertFalse(stage.browser.pages.flight.isRunning)
            XCTAssertEqual(stage.page?.helper?.frame.size, PointSize(width: 600, height: 600))
            XCTAssertTrue(stage.browser.panels.controls.isVisible)
        }
    }

    /// Covered animations cannot be seen, and GTK draws them all the same.
    func testAnimationsUnderTheBrowserRest() throws {
        try onThumbnails { stage in
            let view = PictureView(stage.thumbnails[1])
            view.image = try .lights()
            iterate(until: { view.isAnimating }, "the animation")
            present(stage)
            XCTAssertFalse(view.isAnimating)
            stage.animator.finish()
            drawFrames(2, of: stage.thumbnails[1])
            XCTAssertFalse(view.isAnimating)
            stage.browser.dismiss()
            stage.animator.finishAll()
            iterate(until: { view.isAnimating }, "the animation goes on")
        }
    }

    /// S2-16 An original that comes while the picture follows a finger takes its place when it is back on its page.
    func testOriginalDuringDrag() throws {
        try onPresentedBrowser { stage in
            awaitLoad(in: stage)
            let input = try XCTUnwrap(stage.browser.input)
            input.beginDrag(to: 0, 40, at: 1)
            stage.finish(0)
            iterate(until: { stage.page?.hasPicture == true }, "the original is there")
            input.endDrag(0, 40, at: 3)
            stage.animator.finishAll()
            XCTAssertEqual(stage.page?.handoff.phase, Handoff.Phase.none)
            XCTAssertEqual(stage.page?.opacity, 1)
            XCTAssertEqual(stage.colour(x: 400, y: 300), .red)
        }
    }

    /// A second finger, and a gesture that is cancelled, leave nothing half-way.
    func testSecondFinger() throws {
        try onPresentedBrowser { stage in
            load(in: stage)
            stage.animator.finishAll()
            let input = try XCTUnwrap(stage.browser.input)
            for (x, y) in [(0.0, 60.0), (-300, 0)] {
                input.beginDrag(to: x, y, at: 1)
                input.beginPinch()
                input.endPinch()
                stage.animator.finishAll()
                XCTAssertFalse(stage.browser.pages.flight.isRunning)
                XCTAssertTrue(stage.deck.position.isAtRest)
            }
        }
    }

    /// Nothing lies over a picture that flies back, whatever the pointer does; closing is asked once.
    func testLeavingIsLeft() throws {
        try onPresentedBrowser { stage in
            _ = stage.app.takeEvents()
            stage.browser.finish()
            stage.browser.finish()
            XCTAssertEqual(stage.app.takeEvents(), ["finish"])
            stage.browser.panels.releaseControls()
            stage.browser.pages.updateStatus()
            XCTAssertFalse(stage.browser.panels.controls.isVisible)
            XCTAssertEqual(stage.browser.pages.status.content, .none)
        }
    }

    /// The flight begins at the thumbnail also where that is in a scroller that is all of the window.
    func testScrollerAsContent() throws {
        try onMainThread {
            try requireDisplay()
            let stage = BrowserStage(2)
            defer { stage.close() }
            let scroller: UnsafeMutablePointer<GtkWidget> = gtk_scrolled_window_new()
            let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
            PictureView(picture).fixedSize = PointSize(width: 80, height: 80)
            PictureView(picture).image = try Colour.blue.image(width: 20, height: 20)
            gtk_scrolled_window_set_child(OpaquePointer(scroller), picture)
            stage.show(scroller)
            iterate(until: { gtk_widget_get_width(picture) == 80 }, "the thumbnail is on the screen")
            stage.browser.present(from: PictureView(picture))
            XCTAssertTrue(stage.browser.pages.flight.isRunning)
            XCTAssertEqual(stage.browser.pages.flight.pose?.place.clip.size, PointSize(width: 80, height: 80))
            XCTAssertGreaterThan(stage.deck.view.width, 0)
        }
    }

    /// Closing flies back into the thumbnail of the photo that is current then; the others are visible again.
    func testDismissal() throws {
        try onSecondPhoto { stage in
            stage.browser.dismiss()
            XCTAssertEqual(opacity(stage, 0), 1)
            XCTAssertEqual(opacity(stage, 1), 0)
            XCTAssertFalse(stage.browser.isPresented)
            stage.animator.advance(to: 1)
            let end = try XCTUnwrap(stage.browser.pages.flight.pose)
            XCTAssertEqual(end.place.clip.x, Double(gtk_widget_get_width(stage.thumbnails[0])), accuracy: 1)
            XCTAssertEqual(end.ground, 0)
            stage.animator.finish()
            XCTAssertNil(gtk_widget_get_parent(stage.browser.widget))
            XCTAssertEqual(opacity(stage, 1), 1)
            XCTAssertFalse(stage.browser.screen.isTaken)
        }
    }

    /// Nothing opens in a browser that is on its way out, which would stay for ever then.
    func testOpenWhileLeaving() throws {
        try onPresentedBrowser {
            for index in 0..<3 { $0.app.thumbnails[index] = Photo(.empty) }
        } test: { stage in
            stage.browser.dismiss()
            stage.browser.showGrid()
            XCTAssertFalse(stage.browser.isGridVisible)
            stage.browser.open(1)
            stage.animator.finishAll()
            XCTAssertFalse(stage.browser.screen.isTaken)
        }
    }

    /// A flight can be turned round: it goes back from where it is, with no jump.
    func testTurnedRound() throws {
        try onThumbnails { stage in
            present(stage)
            stage.animator.advance(to: 0.5)
            let before = try XCTUnwrap(stage.browser.pages.flight.pose)
            stage.browser.dismiss()
            let after = try XCTUnwrap(stage.browser.pages.flight.pose)
            XCTAssertEqual(before.place, after.place)
            XCTAssertEqual(before.ground, after.ground)
            XCTAssertEqual(stage.animator.running.count, 1)
            stage.animator.finish()
            XCTAssertFalse(stage.browser.screen.isTaken)
            XCTAssertEqual(opacity(stage, 0), 1)
        }
    }

    /// MW-8 The picture follows a finger that swipes down, and flies on when it lets go; without the setting it stays.
    func testSwipe() throws {
        try onPresentedBrowser { stage in
            let input = try XCTUnwrap(stage.browser.input)
            stage.browser.enableSwipeToDismiss = false
            input.beginDrag(to: 0, 200, at: 0.1)
            XCTAssertFalse(stage.browser.pages.flight.isRunning)
            input.endDrag(0, 200)
            stage.browser.enableSwipeToDismiss = true
            input.beginDrag(to: 0, 60, at: 0.1)
            XCTAssertTrue(stage.browser.pages.flight.isDragging)
            XCTAssertLessThan(try XCTUnwrap(stage.browser.pages.flight.pose).ground, 1)
            input.updateDrag(0, 30, at: 1.1)
            input.endDrag(0, 30)
            stage.animator.finish()
            XCTAssertFalse(stage.browser.pages.flight.isRunning)
            XCTAssertTrue(stage.browser.isPresented)
            input.drag((0, 300, 2))
            XCTAssertFalse(stage.browser.isPresented)
            stage.animator.finish()
            XCTAssertFalse(stage.browser.screen.isTaken)
        }
    }

    /// MW-8 A browser in the app's own layout has nothing to swipe away.
    func testSwipeOfEmbeddedBrowser() throws {
        try onBrowser(2) { stage in
            let input = try XCTUnwrap(stage.browser.input)
            input.beginDrag(to: 0, 300, at: 0.1)
            XCTAssertFalse(stage.browser.pages.flight.isRunning)
            XCTAssertFalse(stage.browser.panels.controls.content.canClose)
        }
    }

    /// MW-25 MW-39 The close button asks the delegate, which may close the browser itself.
    func testDelegateCloses() throws {
        try onPresentedBrowser {
            $0.app.handlesClosing = true
        } test: { stage in
            _ = stage.app.takeEvents()
            XCTAssertTrue(stage.browser.panels.controls.content.canClose)
            press(try XCTUnwrap(stage.browser.panels.controls.button(of: .close)))
            XCTAssertEqual(stage.app.takeEvents(), ["finish"])
            XCTAssertTrue(stage.browser.isPresented)
            stage.app.handlesClosing = false
            press(try XCTUnwrap(stage.browser.panels.controls.button(of: .close)))
            XCTAssertFalse(stage.browser.isPresented)
        }
    }

    /// MW-1 MW-46 A browser that was closed has let go of its photos, and can be presented again.
    func testAgain() throws {
        try onPresentedBrowser { stage in
            load(in: stage)
            stage.animator.finishAll()
            stage.browser.dismiss()
            stage.animator.finish()
            XCTAssertNil(stage.app.photos[0].underlyingImage)
            XCTAssertTrue(stage.deck.pages.isEmpty)
            XCTAssertEqual(stage.clock.pendingCount, 0)
            stage.browser.present(from: PictureView(stage.thumbnails[0]))
            iterate(until: { stage.isReady }, "the browser is there again")
            XCTAssertEqual(stage.browser.currentIndex, 0)
        }
    }

    /// A thumbnail that is destroyed, filled anew or hidden during the flight does no harm: the photo fades out.
    func testLostThumbnail() throws {
        for trouble in 0..<3 {
            try onThumbnails { stage in
                present(stage)
                stage.animator.advance(to: 0.5)
                let widget = stage.thumbnails[0]
                switch trouble {
                case 0: gtk_widget_unparent(widget)
                case 1: PictureView(widget).image = try Colour.green.image()
                default: gtk_widget_set_visible(widget, 0)
                }
                stage.animator.finish()
                stage.browser.dismiss()
                stage.animator.advance(to: 1)
                XCTAssertEqual(stage.browser.pages.flight.pose?.opacity, 0)
                stage.animator.finish()
                XCTAssertFalse(stage.browser.screen.isTaken)
                if trouble > 0 { XCTAssertEqual(gtk_widget_get_opacity(widget), 1) }
            }
        }
    }

    /// A thumbnail that is scrolled away while its picture flies: it is visible again, and the photo fades out when it is
    /// closed then; a picture that is on its way back arrives.
    func testScrolledAwayInFlight() throws {
        for isLeaving in [false, true] {
            try onMainThread {
                try requireDisplay()
                let stage = BrowserStage(1)
                defer { stage.close() }
                let (scroller, box): (UnsafeMutablePointer<GtkWidget>, UnsafeMutablePointer<GtkWidget>) = (
                    gtk_scrolled_window_new(), gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
                )
                let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
                PictureView(picture).fixedSize = PointSize(width: 80, height: 80)
                PictureView(picture).image = try Colour.blue.image(width: 20, height: 20)
                let filler: UnsafeMutablePointer<GtkWidget> = gtk_label_new("")
                gtk_widget_set_size_request(filler, 10, 5000)
                for part in [picture, filler] { gtk_box_append(box.of(GtkBox.self), part) }
                gtk_scrolled_window_set_child(OpaquePointer(scroller), box)
                stage.show(scroller)
                let adjustment = try XCTUnwrap(gtk_scrolled_window_get_vadjustment(OpaquePointer(scroller)))
                iterate(
                    until: { gtk_adjustment_get_upper(adjustment) > 5000 && gtk_widget_get_height(picture) == 80 },
                    "the list is on the screen")
                stage.browser.present(from: PictureView(picture))
                iterate(until: { gtk_widget_get_width(stage.browser.pages.stage) > 0 }, "the browser is laid out")
                if isLeaving {
                    stage.animator.finish()
                    stage.browser.dismiss()
                }
                stage.animator.advance(to: 0.5)
                XCTAssertEqual(gtk_widget_get_opacity(picture), 0)
                gtk_adjustment_set_value(adjustment, 4000)
                iterate(
                    until: { picture.area(in: scroller).map { $0.maxY < 0 } ?? false }, "the thumbnail is scrolled away"
                )
                stage.animator.finish()
                if !isLeaving {
                    XCTAssertTrue(stage.browser.isPresented)
                    stage.browser.dismiss()
                    XCTAssertEqual(gtk_widget_get_opacity(picture), 1)
                    stage.animator.advance(to: 1)
                    XCTAssertEqual(stage.browser.pages.flight.pose?.opacity, 0)
                    stage.animator.finish()
                }
                XCTAssertFalse(stage.browser.screen.isTaken)
                XCTAssertEqual(gtk_widget_get_opacity(picture), 1)
            }
        }
    }

    /// S2-16 A window that is hidden or closed in any phase leaves no hidden browser and no hidden thumbnail behind.
    func testHiddenInEveryPhase() throws {
        try onMainThread {
            for phase in 0..<4 {
                let stage = try presentingStage()
                present(stage)
                if phase > 0 { stage.animator.advance(to: 0.5) }
                if phase > 1 { stage.animator.finish() }
                if phase > 2 { stage.browser.dismiss() }
                gtk_widget_set_visible(stage.window, 0)
                XCTAssertFalse(stage.browser.pages.flight.isRunning, "phase \(phase)")
                stage.show()
                iterate(until: { gtk_widget_get_mapped(stage.thumbnails[1]) != 0 }, "the window is back")
                if phase > 2 {
                    XCTAssertFalse(stage.browser.screen.isTaken)
                    XCTAssertEqual(opacity(stage, 0), 1)
                } else {
                    XCTAssertEqual(stage.colour(x: 400, y: 300), .blue, "phase \(phase)")
                }
                stage.close()
                XCTAssertFalse(stage.browser.screen.isTaken)
            }
        }
    }

    /// MW-39 In a window of its own, closing the window closes the browser.
    func testOwnWindow() throws {
        try onThumbnails { stage in
            stage.browser.presentWindow(over: stage.window.of(GtkWindow.self))
            iterate(until: { stage.isReady }, "the browser is laid out")
            let root = try XCTUnwrap(gtk_widget_get_root(stage.browser.widget))
            gtk_window_close(UnsafeMutableRawPointer(root).assumingMemoryBound(to: GtkWindow.self))
            iterate(until: { !stage.browser.isPresented }, "the browser is on its way out")
            stage.animator.finishAll()
            XCTAssertFalse(stage.browser.screen.isTaken)
        }
    }

    /// A window whose content is an overlay is not changed; the focus returns to where it was.
    func testOverlayOfTheApp() throws {
        try onMainThread {
            try requireDisplay()
            let stage = BrowserStage(2)
            defer { stage.close() }
            let overlay: UnsafeMutablePointer<GtkWidget> = gtk_overlay_new()
            let button: UnsafeMutablePointer<GtkWidget> = gtk_button_new_with_label("first")
            gtk_overlay_set_child(OpaquePointer(overlay), button)
            stage.show(overlay)
            iterate(until: { gtk_widget_get_mapped(button) != 0 }, "the button is on the screen")
            gtk_widget_grab_focus(button)
            stage.browser.present(from: AnyWidgetViewOfTests(widget: button))
            XCTAssertEqual(gtk_window_get_child(stage.window.of(GtkWindow.self)), overlay)
            XCTAssertEqual(gtk_widget_get_parent(stage.browser.widget), overlay)
            XCTAssertEqual(gtk_widget_get_can_focus(button), 0)
            stage.browser.dismiss()
            stage.animator.finishAll()
            XCTAssertEqual(gtk_widget_get_can_focus(button), 1)
            XCTAssertEqual(gtk_window_get_focus(stage.window.of(GtkWindow.self)), button)
        }
    }
}

private struct AnyWidgetViewOfTests: WidgetView {
    let widget: UnsafeMutablePointer<GtkWidget>
}
