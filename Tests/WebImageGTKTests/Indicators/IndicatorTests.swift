import CGtk4
import CGtkAccessibility
import XCTest

@testable import WebImageGTK

/// The built-in indicators by themselves.
final class IndicatorTests: GTKTestCase, @unchecked Sendable {
    /// IND-2
    func testSpinnersComeInTheUsualSizesAndColours() throws {
        try onMainThread {
            try requireDisplay()
            let spinners: [(ActivityIndicator, Int32, String)] = [
                (.gray, 20, "gray"), (.grayLarge, 37, "gray"), (.white, 20, "white"), (.whiteLarge, 37, "white"),
                (.medium, 20, "automatic"), (.large, 37, "automatic"),
            ]
            for (spinner, points, tone) in spinners {
                XCTAssertEqual(size(of: spinner), [points, points])
                XCTAssertNotEqual(gtk_widget_has_css_class(spinner.indicatorView, tone), 0)
            }
        }
    }

    /// IND-1
    func testASpinnerTurnsWhileItIsVisible() throws {
        try onMainThread {
            try requireDisplay()
            let spinner = ActivityIndicator.medium
            let widget = OpaquePointer(spinner.indicatorView)
            XCTAssertFalse(isVisible(spinner))
            spinner.startAnimating()
            XCTAssertTrue(isVisible(spinner))
            XCTAssertNotEqual(gtk_spinner_get_spinning(widget), 0)
            spinner.updateProgress(0.5)
            spinner.stopAnimating()
            XCTAssertFalse(isVisible(spinner))
            XCTAssertEqual(gtk_spinner_get_spinning(widget), 0)
        }
    }

    /// Over the darkest and the lightest picture, and over one as gray as the spinner; none is visible once it has
    /// stopped.
    func testSpinnersAreSeenOverPictures() throws {
        try onMainThread {
            try requireDisplay()
            for lightness in [UInt8(0), 128, 255] {
                let background = Colour(red: lightness, green: lightness, blue: lightness)
                for spinner in [ActivityIndicator.whiteLarge, .grayLarge, .large] {
                    let stage = Stage()
                    defer { stage.close() }
                    stage.view.image = try background.image()
                    let overlay = overlay(on: stage)
                    overlay.indicator = spinner
                    overlay.start()
                    let drawn = stage.drawn(stage.widgets[0], in: self)
                    XCTAssertGreaterThan(
                        contrast(drawn, with: drawn.colour(x: drawn.width / 2, y: drawn.height / 2)), 50)
                    overlay.stop()
                    XCTAssertEqual(contrast(stage.drawn(stage.widgets[0], in: self), with: background), 0)
                }
            }
        }
    }

    /// IND-3: of a fixed width, or as wide as the view.
    func testBarsComeInTwoWidths() throws {
        try onMainThread {
            try requireDisplay()
            let stage = Stage()
            defer { stage.close() }
            gtk_widget_set_size_request(stage.widgets[0], 400, 100)
            let overlay = overlay(on: stage)
            overlay.start()
            for (bar, width) in [(ProgressIndicator.default, Int32(150)), (.bar, 400), (.init(width: 90), 90)] {
                overlay.indicator = bar
                stage.finishFrame(in: self)
                XCTAssertEqual(gtk_widget_get_width(bar.indicatorView), width)
                XCTAssertLessThan(gtk_widget_get_height(bar.indicatorView), 50)
            }
            gtk_window_set_default_size(stage.window.of(GtkWindow.self), 1, 1)
            gtk_widget_set_size_request(stage.widgets[0], 60, 60)
            for bar in [ProgressIndicator.default, .bar] {
                overlay.indicator = bar
                stage.finishFrame(in: self)
                iterate(until: { gtk_widget_get_width(bar.indicatorView) == 60 }, "a narrow bar")
            }
        }
    }

    /// IND-3: empty and visible at the start, full and hidden at the end.
    func testABarIsEmptyAtTheStartAndFullAtTheEnd() throws {
        try onMainThread {
            try requireDisplay()
            let bar = ProgressIndicator.default
            XCTAssertFalse(isVisible(bar))
            for _ in 0..<2 {
                bar.startAnimating()
                XCTAssertTrue(isVisible(bar))
                XCTAssertEqual(fraction(of: bar), 0)
                bar.updateProgress(0)
                bar.updateProgress(0.25)
                XCTAssertEqual(fraction(of: bar), 0.25)
                bar.stopAnimating()
                XCTAssertFalse(isVisible(bar))
                XCTAssertEqual(fraction(of: bar), 1)
            }
        }
    }

    /// IND-3: something moves while the progress is unknown, and only then.
    func testABarAndACirclePulseUntilThereIsProgress() throws {
        try onMainThread {
            try requireDisplay()
            for indicator in [ProgressIndicator.bar, CircularProgressIndicator.large] as [any WebImageIndicator] {
                let stage = Stage()
                defer { stage.close() }
                let overlay = overlay(on: stage)
                overlay.indicator = indicator
                overlay.start()
                let first = stage.drawn(stage.widgets[0], in: self)
                iterate(until: { stage.drawn(stage.widgets[0], in: self) != first }, "another picture")
                overlay.update(progress: 0.5)
                let half = stage.drawn(stage.widgets[0], in: self)
                for _ in 0..<3 { XCTAssertEqual(stage.drawn(stage.widgets[0], in: self), half) }
                overlay.update(progress: 0.6)
                XCTAssertNotEqual(stage.drawn(stage.widgets[0], in: self), half)
            }
        }
    }

    func testNothingMovesWhereTheDesktopWantsNothingTo() throws {
        try onMainThread {
            try requireDisplay()
            let stage = Stage()
            defer { stage.close() }
            let overlay = overlay(on: stage)
            stage.setAnimations(enabled: false)
            defer { stage.setAnimations(enabled: true) }
            for indicator in [
                ActivityIndicator.large, ProgressIndicator.bar, CircularProgressIndicator.large,
            ] as [any WebImageIndicator] {
                overlay.indicator = indicator
                overlay.start()
                let first = stage.drawn(stage.widgets[0], in: self)
                for _ in 0..<5 { XCTAssertEqual(stage.drawn(stage.widgets[0], in: self), first) }
            }
        }
    }

    /// The animation of a hidden widget is invisible.
    func testAHiddenViewsIndicatorRests() throws {
        try onMainThread {
            try requireDisplay()
            let stage = Stage()
            defer { stage.close() }
            var steps = 0
            let ticker = FrameTicker(on: stage.widgets[0]) { _ in steps += 1 }
            ticker.isRunning = true
            XCTAssertFalse(ticker.isTicking)
            stage.finishFrame(in: self)
            XCTAssertTrue(ticker.isTicking)
            XCTAssertGreaterThan(steps, 0)
            gtk_widget_set_visible(stage.widgets[0], 0)
            XCTAssertFalse(ticker.isTicking)
            gtk_widget_set_visible(stage.widgets[0], 1)
            XCTAssertTrue(ticker.isTicking)
            ticker.isRunning = false
            XCTAssertFalse(ticker.isTicking)
        }
    }

    /// IND-1: an app's own widget, and the progress that its closure gets.
    func testAnAppsOwnWidgetIsShownWhileItLasts() throws {
        try onMainThread {
            try requireDisplay()
            var told: [Double] = []
            let label: UnsafeMutablePointer<GtkWidget> = gtk_label_new("wait")
            let indicator = CustomIndicator(label) { told.append($0) }
            XCTAssertEqual(indicator.indicatorView, label)
            XCTAssertFalse(isVisible(indicator))
            indicator.startAnimating()
            XCTAssertTrue(isVisible(indicator))
            indicator.updateProgress(0.5)
            indicator.stopAnimating()
            XCTAssertFalse(isVisible(indicator))
            XCTAssertEqual(told, [0.5])
        }
    }

    // MARK: Assistive technologies

    func testAssistiveTechnologiesSeeAProgressBarWithANameWhileItIsShown() throws {
        try onMainThread {
            try requireDisplay()
            for indicator in [
                ActivityIndicator.gray, ProgressIndicator.bar, CircularProgressIndicator.large,
            ] as [any WebImageIndicator] {
                let widget = indicator.indicatorView
                // Newer versions of GTK say of a widget in no window that it is hidden.
                let stage = WidgetStage(widget)
                defer { stage.close() }
                iterate(until: { gtk_widget_get_mapped(stage.window) != 0 }, "the window")
                XCTAssertEqual(
                    gtk_accessible_get_accessible_role(OpaquePointer(widget)), GTK_ACCESSIBLE_ROLE_PROGRESS_BAR)
                XCTAssertNil(webimage_check_label(widget, "Loading"))
                indicator.startAnimating()
                XCTAssertNil(webimage_check_state(widget, GTK_ACCESSIBLE_STATE_HIDDEN, 0))
                indicator.stopAnimating()
                XCTAssertNil(webimage_check_state(widget, GTK_ACCESSIBLE_STATE_HIDDEN, 1))
            }
            let german = ActivityIndicator(label: "Lädt")
            XCTAssertNil(webimage_check_label(german.indicatorView, "Lädt"))
        }
    }

    func testAssistiveTechnologiesHearHowFarItIs() throws {
        try onMainThread {
            try requireDisplay()
            for indicator in [ProgressIndicator.bar, CircularProgressIndicator.large] as [any WebImageIndicator] {
                indicator.startAnimating()
                indicator.updateProgress(0.5)
                XCTAssertNil(webimage_check_value(indicator.indicatorView, 0.5))
            }
        }
    }

    // MARK: -

    @MainActor
    private func isVisible(_ indicator: any WebImageIndicator) -> Bool {
        gtk_widget_get_visible(indicator.indicatorView) != 0
    }

    @MainActor
    private func fraction(of bar: ProgressIndicator) -> Double {
        gtk_progress_bar_get_fraction(OpaquePointer(bar.indicatorView))
    }

    /// The requested size: that of a hidden widget would be empty.
    @MainActor
    private func size(of indicator: any WebImageIndicator) -> [Int32] {
        indicator.startAnimating()
        var size = GtkRequisition()
        gtk_widget_get_preferred_size(indicator.indicatorView, nil, &size)
        return [size.width, size.height]
    }

    /// The largest channel difference from `colour` of any pixel in the centre: within the disc of a large spinner, not
    /// at its edge.
    private func contrast(_ rendering: Rendering, with colour: Colour) -> Int {
        let (middle, half) = (rendering.width / 2, 12)
        return (rendering.height / 2 - half..<rendering.height / 2 + half).flatMap { y in
            (middle - half..<middle + half).flatMap { x in
                zip(rendering.colour(x: x, y: y).channels, colour.channels).map { abs(Int($0) - Int($1)) }
            }
        }.max() ?? 0
    }

    @MainActor
    private func overlay(on stage: Stage) -> IndicatorOverlay {
        let overlay = IndicatorOverlay(over: stage.widgets[0], showing: PictureTarget(widget: stage.widgets[0]))
        stage.keep(overlay)
        return overlay
    }
}
