import CGtk4
import WebImage
import WebImageTestSupport
import XCTest

@testable import WebImageGTK

/// Transitions in views far larger than a screen, in a scroller.
final class LargeViewTransitionTests: GTKTestCase, @unchecked Sendable {
    private static let size = PixelSize(width: 64, height: 9000)
    private static let steps = [(0.25, 0.0), (0.7, 4321)]

    /// Every effect draws the visible part as if it had drawn everything, and little else.
    func testOnlyWhatIsSeenIsDrawn() throws {
        try onMainThread {
            initializeGTK()
            let pictures = try (0...1).map { try Self.picture(seed: $0) }
            let scene = TransitionScene(size: PointSize(width: 64, height: 9000))
            for effect in TransitionEffect.all {
                for (step, top) in Self.steps {
                    let seen = PointRect(x: 0, y: top, width: 64, height: 200)
                    let layers = effect.layers(at: step, in: scene)
                    @MainActor func draw(_ visible: PointRect?) -> (pixels: Pixels, textures: Int) {
                        let painter = TransitionPainter(
                            scene: scene, old: TransitionPicture(pictures[0]), new: TransitionPicture(pictures[1]),
                            visible: visible)
                        return Self.drawn(from: top) { painter.paint(layers, into: $0) }
                    }
                    let (all, part) = (draw(nil), draw(seen))
                    let ratio = part.pixels.signalToNoise(all.pixels)
                    XCTAssertGreaterThanOrEqual(ratio, 42, "\(effect.name) at \(step)")
                    XCTAssertLessThanOrEqual(part.textures, 40, "\(effect.name) at \(step)")
                }
            }
        }
    }

    /// A view in a scroller knows its visible part, also when transitions interrupt each other: then it keeps the
    /// pixels of that part, at the same sharpness.
    func testInAScrollerATransitionGoesOnFromWhatIsSeen() throws {
        try onMainThread {
            try requireDisplay()
            let scroller = try Scroller(self)
            defer { scroller.close() }
            scroller.display.show(Image(bitmap: try Self.picture(seed: 0)))
            scroller.present(self, height: Self.size.height)
            scroller.scroll(to: 4_400, self)
            let before = scroller.drawn
            var run = TransitionRun(effect: .curlUp, duration: 1, timing: .linear)
            scroller.display.transition(to: Image(bitmap: try Self.picture(seed: 1)), run)
            scroller.advance(0, self)
            XCTAssertEqual(scroller.drawn.pixels.signalToNoise(before.pixels), .infinity)
            scroller.advance(500_000, self)
            let half = scroller.drawn
            XCTAssertLessThan(half.pixels.signalToNoise(before.pixels), 25)
            XCTAssertLessThanOrEqual(half.textures, 40)

            run.effect = .crossDissolve
            scroller.display.transition(to: Image(bitmap: try Self.picture(seed: 2)), run)
            scroller.advance(0, self)
            XCTAssertGreaterThanOrEqual(scroller.drawn.pixels.signalToNoise(half.pixels), 45)
            scroller.advance(999_000, self)
            scroller.scroll(to: 7_000, self)
            XCTAssertEqual(scroller.drawn.pixels[32, 100].w, 255)
            scroller.advance(2_000, self)
            XCTAssertFalse(scroller.display.isAnimating)
        }
    }

    /// Nothing shows through between the tiles of a reduced picture.
    func testTilesShowNoSeams() throws {
        try onMainThread {
            initializeGTK()
            let size = PixelSize(width: 9000, height: 1100)
            let white = Image(bitmap: try Bitmap(size: size, pixels: [UInt8](repeating: 255, count: size.area * 4)))
            let still = StillContent(white)
            XCTAssertTrue(still.isTiled)
            let flip = TransitionContent(.flipFromTop, from: nil, to: ViewContent(still))
            flip.progress = 0.999_999
            for content in [still, flip] as [any PaintableContent] {
                for width in [333, 701] {
                    let pixels = Pixels.drawnByCairo(PixelSize(width: width, height: 100)) {
                        content.draw($0, width: Double(width), height: 100)
                    }
                    let dark = (0..<width).filter { pixels[$0, 50].w < 254 }
                    XCTAssertEqual(dark, [], "\(type(of: content)), \(width)")
                }
            }
        }
    }

    private static func picture(seed: Int) throws(WebImageError) -> Bitmap {
        // Waves that repeat every 500 rows, so that the tested area has more than one colour.
        let tile = try SamplePicture.make(seed, width: size.width, height: 500)
        let pixels = tile.withUnsafeBytes { Array($0) }
        return try Bitmap(size: size, pixels: (0..<size.height / 500).flatMap { _ in pixels })
    }

    @MainActor
    fileprivate static func drawn(
        from top: Double, _ draw: (OpaquePointer) -> Void
    ) -> (pixels: Pixels, textures: Int) {
        func drawMoved(_ snapshot: OpaquePointer) {
            var origin = graphene_point_t(x: 0, y: Float(-top))
            gtk_snapshot_translate(snapshot, &origin)
            draw(snapshot)
        }
        let pixels = Pixels.drawnByCairo(PixelSize(width: 64, height: 200), drawMoved)
        guard let node = Pixels.node(drawMoved) else { return (pixels, 0) }
        defer { gsk_render_node_unref(node) }
        return (pixels, node.textureCount)
    }
}

/// A window of 200 points with a picture of 64 × 9,000 in a scroller.
@MainActor
private final class Scroller {
    private let window = TestWindow.make()
    private let scroller: UnsafeMutablePointer<GtkWidget> = gtk_scrolled_window_new()
    private let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
    private var time: Int64 = 1_000_000
    private var ticks = 0
    private var top = 0.0

    init(_ test: GTKTestCase) throws {
        try test.requireDisplay()
        gtk_window_set_default_size(window.of(GtkWindow.self), 200, 200)
        gtk_window_set_child(window.of(GtkWindow.self), scroller)
        gtk_picture_set_can_shrink(OpaquePointer(picture), 0)
        gtk_widget_set_halign(picture, GTK_ALIGN_START)
        gtk_scrolled_window_set_child(OpaquePointer(scroller), picture)
        display.time = { [weak self] _ in
            self?.ticks += 1
            return self?.time ?? 0
        }
    }

    var display: PaintableDisplay { Coordinator.of(picture).display }

    func present(_ test: GTKTestCase, height: Int) {
        gtk_window_present(window.of(GtkWindow.self))
        test.iterate(until: { Int(gtk_widget_get_height(picture)) == height }, "the layout")
    }

    func scroll(to top: Double, _ test: GTKTestCase) {
        self.top = top
        gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(OpaquePointer(scroller)), top)
        test.iterate(until: { display.target.visibleArea?.part.y == top }, "the scrolling")
    }

    func advance(_ microseconds: Int64, _ test: GTKTestCase) {
        time += microseconds
        let ticks = ticks
        test.iterate(until: { self.ticks >= ticks + 2 || !display.isAnimating }, "two frames")
    }

    /// The visible part of the picture.
    var drawn: (pixels: Pixels, textures: Int) {
        LargeViewTransitionTests.drawn(from: top) { snapshot in
            guard let paintable = gtk_picture_get_paintable(OpaquePointer(picture)) else { return }
            gdk_paintable_snapshot(
                paintable, snapshot, Double(gtk_widget_get_width(picture)), Double(gtk_widget_get_height(picture)))
        }
    }

    func close() { gtk_window_destroy(window.of(GtkWindow.self)) }
}
