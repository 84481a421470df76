import CGtk4
import WebImage

@testable import WebImageGTK

extension GTKTestCase {
    /// Runs `body` with pictures in a window that is not on the screen.
    func onStage(pictures count: Int = 1, _ body: @MainActor (Stage, TestStage) throws -> Void) throws {
        try onMainThread {
            try requireDisplay()
            let stage = Stage(pictures: count)
            defer { stage.close() }
            try body(stage, TestStage())
        }
    }

    /// Runs `body` with pictures in a window on the screen.
    func onScreen(pictures count: Int = 1, _ body: @MainActor (Stage, TestStage) throws -> Void) throws {
        try onStage(pictures: count) { stage, test in
            stage.present(in: self)
            try body(stage, test)
        }
    }

    /// Runs `body` with a list of pictures in a window that is not on the screen.
    func onList(
        pictures count: Int, size: Int32? = 64, isStretched: Bool = true, coder: PosterCoder = PosterCoder(),
        _ body: @MainActor (ListStage) throws -> Void
    ) throws {
        try onMainThread {
            try requireDisplay()
            let stage = ListStage(pictures: count, size: size, isStretched: isStretched, coder: coder)
            defer { stage.close() }
            try body(stage)
        }
    }

    /// Draws this many frames of the window of `widget`, moving or not.
    @MainActor
    func drawFrames(_ count: Int, of widget: UnsafeMutablePointer<GtkWidget>) {
        var frames = 0
        let ticks = FrameTicks(of: widget) { _ in
            frames += 1
            gtk_widget_queue_draw(widget)
            return frames < count
        }
        iterate(until: { frames == count }, "\(count) frames")
        ticks.stop()
    }

    /// Completes what is scheduled for the next frames of the list.
    @MainActor
    func drawFrames(_ stage: ListStage, _ count: Int64) {
        let end = stage.frame + count
        iterate(
            until: {
                stage.queueDraw()
                return stage.frame >= end
            }, "\(count) frames")
    }
}

extension GTKTestCase {
    /// Scrolls a list as far as it likes.
    @MainActor
    func jump(to position: Int, in stage: LongList) {
        stage.scroll(to: position - 1)
        drawFrames(2, of: stage.window)
        stage.scroll(to: position)
    }
}

extension Stage {
    /// Presents the window and waits until it is on the screen.
    func present(in test: GTKTestCase) {
        show()
        test.iterate(until: { isOnScreen }, "the window")
    }
}

extension ListStage {
    /// Presents the window and waits until it is on the screen.
    func present(in test: GTKTestCase) {
        show()
        test.iterate(until: { isOnScreen }, "the window")
    }

    /// Pixels per point.
    var scale: Int { Int(gtk_widget_get_scale_factor(pictures[0])) }

    /// A square of this many points, in pixels.
    func pixels(_ side: Int) -> PixelSize { PixelSize(width: side * scale, height: side * scale) }
}
