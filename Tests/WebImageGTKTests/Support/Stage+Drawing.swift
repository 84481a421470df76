import CGtk4
import WebImage
import XCTest

@testable import WebImageGTK

extension Stage {
    /// The window's drawing of `widget`, with its padding and border, after the next frame.
    func drawn(_ widget: UnsafeMutablePointer<GtkWidget>, in test: GTKTestCase) -> Rendering {
        finishFrame(in: test)
        let paintable = PaintableHandle(adopting: gtk_widget_paintable_new(widget))
        let size = paintable.intrinsicSize
        return Rendering(paintable, width: Int(size.width), height: Int(size.height))
    }

    /// Waits until the window has been laid out and drawn again.
    func finishFrame(in test: GTKTestCase, file: StaticString = #filePath, line: UInt = #line) {
        show()
        guard let clock = gtk_widget_get_frame_clock(window) else {
            return XCTFail("the window has no frame clock", file: file, line: line)
        }
        var frames = 0
        let handler = connect(UnsafeMutableRawPointer(clock), "after-paint") { frames += 1 }
        defer { g_signal_handler_disconnect(UnsafeMutableRawPointer(clock), handler) }
        // The current frame may have been laid out before the latest change.
        for count in 1...2 {
            gtk_widget_queue_draw(window)
            test.iterate(until: { frames >= count }, "a frame", file: file, line: line)
        }
    }
}

extension PaintableHandle {
    /// Takes over the caller's reference.
    @MainActor
    fileprivate convenience init(adopting paintable: OpaquePointer) {
        self.init(retaining: paintable)
        g_object_unref(UnsafeMutableRawPointer(paintable))
    }
}

extension Rendering {
    /// The area of `colour` in the drawing, as its first and last column and row; nil for none.
    func bounds(of colour: Colour) -> Bounds? {
        let found = (0..<height).flatMap { y in (0..<width).map { (x: $0, y: y) } }.filter {
            self.colour(x: $0.x, y: $0.y) == colour
        }
        guard let first = found.first, let last = found.last else { return nil }
        let columns = found.map(\.x)
        return Bounds(
            left: columns.min() ?? first.x, top: first.y, right: columns.max() ?? last.x, bottom: last.y)
    }

    struct Bounds: Equatable {
        var left: Int
        var top: Int
        var right: Int
        var bottom: Int
    }
}
