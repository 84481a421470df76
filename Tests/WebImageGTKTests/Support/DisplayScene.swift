import CGtk4
import WebImage
import WebImageTestSupport
import XCTest

@testable import WebImageGTK

/// One display in a window on the screen, and the endings of its transitions.
@MainActor
final class DisplayScene {
    let stage: Stage
    let widget: UnsafeMutablePointer<GtkWidget>
    private(set) var endings: [Bool] = []
    private var held: PaintableDisplay?

    init(_ test: GTKTestCase, pictures count: Int = 1) throws {
        try test.requireDisplay()
        stage = Stage(pictures: count)
        widget = stage.widgets[0]
        held = Coordinator.of(widget).display
        stage.present(in: test)
    }

    var display: PaintableDisplay {
        guard let held else { preconditionFailure("the display was forgotten") }
        return held
    }

    /// Releases the scene's reference, so that only the widget holds the display.
    func forget() { held = nil }

    /// A linear run of one second, whose end is recorded.
    func run(_ effect: TransitionEffect?) -> TransitionRun {
        var run = TransitionRun(effect: effect, duration: 1, timing: .linear)
        run.finished = { [weak self] in self?.endings.append($0) }
        return run
    }

    /// Begins a transition, and draws its first frame.
    func start(_ image: Image, _ effect: TransitionEffect, _ test: GTKTestCase) {
        display.transition(to: image, run(effect))
        advance(test, by: 0)
    }

    /// Moves the clock and draws two frames; the second one is certain to begin after the move.
    func advance(_ test: GTKTestCase, by microseconds: Int64) {
        stage.time += microseconds
        let ticks = stage.ticks
        test.iterate(until: { stage.ticks >= ticks + 2 }, "two frames")
    }

    func finish(_ test: GTKTestCase) {
        stage.time += 2_000_000
        test.iterate(until: { !display.isAnimating }, "the end of the transition")
    }

    /// Draws a few frames at rest, so that the renderer releases what it drew before.
    func advanceFrames(_ test: GTKTestCase) {
        test.drawFrames(4, of: widget)
    }

    /// The widget's drawing, at its own size.
    var pixels: Pixels {
        let scale = Int(gtk_widget_get_scale_factor(widget))
        let size = PixelSize(width: Int(gtk_widget_get_width(widget)), height: Int(gtk_widget_get_height(widget)))
        let pixels = PixelSize(width: size.width * scale, height: size.height * scale)
        return Pixels.drawnByCairo(pixels, scale: Double(scale)) { snapshot in
            guard let paintable = gtk_picture_get_paintable(OpaquePointer(widget)) else { return }
            let fit = ContentFit.contain.frame(
                of: PaintableHandle(retaining: paintable).intrinsicSize,
                in: PointSize(width: Double(size.width), height: Double(size.height)))
            var origin = graphene_point_t(x: Float(fit.x), y: Float(fit.y))
            gtk_snapshot_translate(snapshot, &origin)
            gdk_paintable_snapshot(paintable, snapshot, fit.size.width, fit.size.height)
        }
    }

    var showsStillPicture: Bool {
        guard let paintable = gtk_picture_get_paintable(OpaquePointer(widget)) else { return false }
        return gdk_paintable_get_flags(paintable).rawValue & GDK_PAINTABLE_STATIC_CONTENTS.rawValue != 0
    }
}
