import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Widgets on the screen without a size, as in a collapsed pane.
final class SizelessViewTests: GTKTestCase, @unchecked Sendable {
    func testAllIsWellWithoutAnExtent() throws {
        try onMainThread {
            try requireDisplay()
            for renderer in ScreenRenderer.allCases { try renderer.draws { try check("\(renderer)") } }
        }
    }

    @MainActor
    private func check(_ what: String) throws {
        let (stage, test) = (FoldedStage(), TestStage())
        defer { stage.close() }
        iterate(until: { gtk_widget_get_mapped(stage.picture) != 0 }, "the window")
        let view = PictureView(stage.picture)
        view.imageIndicator = CircularProgressIndicator.large
        view.progressiveDisplay = .blurToSharp()
        for (index, effect) in TransitionEffect.all.enumerated() {
            var story: [String] = []
            var transition = WidgetTransition.custom(effect, duration: .seconds(60))
            transition.completion = { story.append("transition \($0)") }
            view.imageTransition = transition
            view.setImage(with: test.url("\(index)"), options: .waitTransition, context: test.context) {
                story.append($0.isCancelled ? "cancelled" : "ended")
            }
            test.loader.loads(of: test.url("\(index)")).first?.progress(1, of: 4)
            test.finish(test.url("\(index)"), .blue)
            iterate(until: { story.count == 2 }, "the end of a load by \(effect.name), \(what)")
            XCTAssertEqual(story, ["transition true", "ended"], "\(effect.name), \(what)")
        }
        XCTAssertEqual(gtk_widget_get_width(stage.picture), 0)
        view.fadeFromPreviousContent()
        stage.unfold()
        iterate(until: { gtk_widget_get_width(stage.picture) > 0 }, "an extent")
        XCTAssertEqual(view.image?.colour, .blue, what)
        XCTAssertEqual(GTKLog.takeComplaints(), [], what)
    }
}

/// A window with a picture in a container that gives each child its minimum: nothing.
@MainActor
private final class FoldedStage {
    let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
    private let window = TestWindow.make()

    init() {
        let fixed: UnsafeMutablePointer<GtkWidget> = gtk_fixed_new()
        gtk_fixed_put(fixed.of(GtkFixed.self), picture, 0, 0)
        gtk_window_set_child(window.of(GtkWindow.self), fixed)
        gtk_window_set_default_size(window.of(GtkWindow.self), 100, 100)
        gtk_window_present(window.of(GtkWindow.self))
    }

    func unfold() { gtk_widget_set_size_request(picture, 50, 50) }

    func close() { gtk_window_destroy(window.of(GtkWindow.self)) }
}
