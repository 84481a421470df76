import CGtk4
import CScreen
import WebImage
import XCTest

@testable import WebImageGTK

/// The mouse over buttons with transitions, by the X server's own events.
final class InputDuringTransitionTests: ViewTestCase, @unchecked Sendable {
    private static let presets: [WidgetTransition] = [
        .fade, .flipFromLeft, .flipFromRight, .flipFromTop, .flipFromBottom, .curlUp, .curlDown, .pushFromLeft,
        .pushFromRight, .pushFromTop, .pushFromBottom, .revealFromTop, .revealFromBottom, .zoom, .blurToSharp,
    ]

    /// S1-12, TRN-6: with every preset the widget gets input, and a click does not interrupt the transition.
    func testAButtonIsClickedDuringTheTransitionOfItsPicture() throws {
        try onMainThread {
            XCTAssertEqual(
                Self.presets.compactMap { $0.effect?.name }.sorted(), TransitionEffect.all.map(\.name).sorted())
            for preset in Self.presets {
                let scene = try scene(preset)
                defer { scene.stage.close() }
                let name = preset.effect?.name ?? ""
                try click(scene)
                iterate(until: { scene.clicks.values.count == 1 }, "the click during \(name)")
                XCTAssertTrue(scene.view.display?.isAnimating == true, "the transition goes on: \(name)")
                XCTAssertEqual(scene.view.image?.colour, .blue, name)
            }
        }
    }

    /// As UIKit's views do without that option.
    func testAButtonIsNotClickedDuringATransitionThatHoldsInputBack() throws {
        try onMainThread {
            var transition = WidgetTransition.fade
            transition.animationOptions = []
            let scene = try scene(transition)
            defer { scene.stage.close() }
            try click(scene)
            drawFrames(4, of: scene.stage.window)
            XCTAssertEqual(scene.clicks.values.count, 0)
            scene.view.display?.finishTransition()
            drawFrames(4, of: scene.stage.window)
            try click(scene)
            iterate(until: { scene.clicks.values.count == 1 }, "the click after the end")
        }
    }

    @MainActor
    private struct Scene {
        let stage: WidgetStage
        let view: ButtonView
        let clicks = Recorder<Bool>()
    }

    /// A button whose picture is in a transition that ends only when the test says so.
    @MainActor
    private func scene(_ transition: WidgetTransition) throws -> Scene {
        try requireDisplay()
        let button: UnsafeMutablePointer<GtkWidget> = gtk_button_new()
        gtk_widget_set_size_request(button, 80, 80)
        let scene = Scene(stage: try shown(button), view: ButtonView(button))
        connect(UnsafeMutableRawPointer(button), "clicked") { [clicks = scene.clicks] in clicks.append(true) }
        load(.green, in: scene.view, TestStage())
        drawFrames(4, of: scene.stage.window)
        scene.view.display?.time = { _ in 0 }
        scene.view.imageTransition = transition
        load(.blue, in: scene.view, TestStage())
        XCTAssertTrue(scene.view.display?.isAnimating == true)
        drawFrames(4, of: scene.stage.window)
        return scene
    }

    /// Clicks the centre of the button.
    @MainActor
    private func click(_ scene: Scene) throws {
        let (window, button) = (scene.stage.window, scene.stage.widget)
        var (x, y) = (0.0, 0.0)
        gtk_widget_translate_coordinates(
            button, window, Double(gtk_widget_get_width(button)) / 2, Double(gtk_widget_get_height(button)) / 2, &x, &y)
        var (left, top) = (0.0, 0.0)
        gtk_native_get_surface_transform(OpaquePointer(window), &left, &top)
        let scale = Double(gtk_widget_get_scale_factor(window))
        guard
            webimage_click(
                gtk_native_get_surface(OpaquePointer(window)), Int32((x + left) * scale), Int32((y + top) * scale)) != 0
        else { throw XCTSkip("this display takes no events from tests") }
    }
}
