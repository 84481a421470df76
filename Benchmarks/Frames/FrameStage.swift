import CGtk4
import WebImage
import WebImageGTK

/// A window with one picture; its transitions are measured in real time.
final class FrameStage {
    struct Cost {
        /// Processor time of the whole process per frame.
        let milliseconds: Double
        let frames: Int
    }

    private let window: UnsafeMutablePointer<GtkWidget>
    private let picture: UnsafeMutablePointer<GtkWidget>
    private let display: PaintableDisplay
    private let pictures: [Image]
    private var shown = 0

    /// - Parameters:
    ///   - size: The size of the window.
    ///   - pictureSize: The size of the pictures; nil for the window's.
    init(size: PixelSize, pictureSize: PixelSize? = nil) throws {
        let pictureSize = pictureSize ?? size
        pictures = try (0..<2).map {
            Image(bitmap: try Bitmap(size: pictureSize, pixels: Self.pixels(pictureSize, seed: $0)))
        }
        window = gtk_window_new()
        picture = gtk_picture_new()
        let topLevel = UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self)
        gtk_window_set_decorated(topLevel, 0)
        gtk_window_set_default_size(topLevel, Int32(size.width), Int32(size.height))
        gtk_window_set_child(topLevel, picture)
        display = PaintableDisplay(PictureTarget(widget: picture))
        display.show(pictures[0])
        gtk_window_present(topLevel)
        while gtk_widget_get_width(picture) != size.width { g_main_context_iteration(nil, 1) }
    }

    /// - Parameter effect: nil for the new picture alone, redrawn in each frame.
    func measure(_ effect: TransitionEffect?, seconds: Double) -> Cost {
        var frames = 0
        var hasEnded = false
        let start = ProcessorTime.seconds
        shown = 1 - shown
        var run = TransitionRun(effect: effect, duration: seconds, timing: .linear)
        run.onFrame = { _ in frames += 1 }
        run.finished = { _ in hasEnded = true }
        display.transition(to: pictures[shown], run)
        while !hasEnded { g_main_context_iteration(nil, 1) }
        return Cost(milliseconds: (ProcessorTime.seconds - start) * 1000 / Double(max(1, frames)), frames: frames)
    }

    /// The minimum cost of a frame of this size: GTK alone draws two textures in turn, whole. (GTK would draw nothing
    /// for a texture that does not change.)
    func measureBare(seconds: Double) -> Cost {
        let textures = pictures.map { Texture($0.bitmap) }
        let clock = gtk_widget_get_frame_clock(picture)
        var frames = 0
        let end = ContinuousClock.now + .seconds(seconds)
        let start = ProcessorTime.seconds
        while ContinuousClock.now < end {
            let drawn = gdk_frame_clock_get_frame_counter(clock)
            gtk_picture_set_paintable(OpaquePointer(picture), textures[frames % 2].pointer)
            while gdk_frame_clock_get_frame_counter(clock) == drawn { g_main_context_iteration(nil, 1) }
            frames += 1
        }
        let cost = Cost(milliseconds: (ProcessorTime.seconds - start) * 1000 / Double(max(1, frames)), frames: frames)
        display.show(pictures[shown])
        return cost
    }

    /// Soft gradients with grain: no renderer can take a shortcut.
    private static func pixels(_ size: PixelSize, seed: Int) -> [UInt8] {
        var state = UInt32(12345 + seed)
        return (0..<size.area).flatMap { index -> [UInt8] in
            state = state &* 1_664_525 &+ 1_013_904_223
            let grain = Int(state >> 28)
            let (x, y) = (index % size.width * 220 / size.width, index / size.width * 220 / size.height)
            return [UInt8(x + grain), UInt8(y + grain), UInt8(seed * 200 + grain), 255]
        }
    }
}
