import CGtk4
import WebImage
import WebImageTestSupport
import XCTest

@testable import WebImageGTK

/// Transitions with OpenGL in software: overlapping layers are composed first.
final class ComposedPaintingTests: GTKTestCase, @unchecked Sendable {
    private static let size = PointSize(width: 120, height: 80)

    /// TRN-6, TRN-7
    func testEveryEffectIsSeenAsItIsMeant() throws {
        try onMainThread {
            initializeGTK()
            for (scale, alpha, margin) in [(1.0, 1.0, 0.0), (2, 1, 6), (2, 0.7, 5.25)] {
                let painted = try PaintedScene(
                    Self.size, scale: scale, alpha: alpha, margin: margin, renderer: .softwareOpenGL)
                let exact = margin == margin.rounded() ? 44.0 : 30
                painted.forEachFrame(at: [0.2, 0.95]) { _, frame, layers, expected in
                    let least = layers.contains(where: \.isPage) ? 40 : exact
                    let name = "\(frame), scale \(scale), alpha \(alpha), \(margin)"
                    XCTAssertGreaterThanOrEqual(painted.byCairo(layers).signalToNoise(expected), least, name)
                    // OpenGL scales layers that are not composed with its own filter.
                    guard let openGL = painted.byOpenGL(layers) else { return }
                    XCTAssertGreaterThanOrEqual(openGL.signalToNoise(expected), 29, name)
                }
            }
            try requireOpenGL()
        }
    }

    /// Each pixel of two overlapping pictures is drawn once; pictures side by side need no composition.
    func testPicturesOverEachOtherAreOneTexture() throws {
        try onMainThread {
            initializeGTK()
            let painted = try PaintedScene(Self.size, scale: 2, alpha: 1, margin: 0, renderer: .softwareOpenGL)
            for (effect, isComposed) in [
                (TransitionEffect.crossDissolve, true), (.blurToSharp, true), (.pushFromLeft, false),
            ] {
                let layers = effect.layers(at: 0.4, in: painted.scene)
                XCTAssertEqual(layers.isStacked(in: painted.scene.bounds), isComposed, effect.name)
                let node = try XCTUnwrap(Pixels.node { painted.painter.paint(layers, into: $0) })
                defer { gsk_render_node_unref(node) }
                if isComposed {
                    XCTAssertEqual(node.textureCount, 1, effect.name)
                    XCTAssertEqual(node.count(of: "opacity {"), 0, effect.name)
                } else {
                    XCTAssertGreaterThan(node.textureCount, 1, effect.name)
                }
            }
        }
    }

    /// The renderer gives a single picture its opacity as it draws it.
    func testAPictureThatAppearsFromNothingNeedsNoPixelsOfItsOwn() throws {
        try onMainThread {
            initializeGTK()
            var scene = TransitionScene(size: Self.size)
            scene.oldFrame = nil
            let canvas = FrameCanvas()
            let painter = TransitionPainter(
                scene: scene, old: nil, new: TransitionPicture(try SamplePicture.make(1, width: 120, height: 80)),
                renderer: .softwareOpenGL, canvas: canvas)
            let layers = TransitionEffect.crossDissolve.layers(at: 0.4, in: scene)
            let node = try XCTUnwrap(Pixels.node { painter.paint(layers, into: $0) })
            defer { gsk_render_node_unref(node) }
            XCTAssertEqual(node.count(of: "opacity {"), 1)
            XCTAssertEqual(canvas.surfaceCount, 0)
        }
    }

    /// The pixels of a frame that is still in use are kept; those of others are reused.
    func testPixelsServeAgainOnceTheyAreLetGo() throws {
        try onMainThread {
            initializeGTK()
            let canvas = FrameCanvas()
            let red = try XCTUnwrap(frame(of: RGBAColor(red: 255, green: 0, blue: 0), canvas))
            let first = pixels(of: red)
            for _ in 0..<5 {
                let blue = try XCTUnwrap(frame(of: RGBAColor(red: 0, green: 0, blue: 255), canvas))
                XCTAssertEqual(pixels(of: blue)[7, 3], SIMD4(0, 0, 255, 255))
                gsk_render_node_unref(blue)
            }
            XCTAssertEqual(canvas.surfaceCount, 2)
            XCTAssertEqual(pixels(of: red).signalToNoise(first), .infinity)
            XCTAssertEqual(first[0, 0], SIMD4(255, 0, 0, 255))
            gsk_render_node_unref(red)
            let clear = try XCTUnwrap(frame(of: .clear, canvas))
            XCTAssertEqual(pixels(of: clear)[0, 0], .zero, "what the frame before has left there")
            gsk_render_node_unref(clear)
            XCTAssertNil(frame(of: .clear, width: 9000, canvas), "larger than a renderer can take")
            XCTAssertNil(frame(of: .clear, width: 0, canvas))
        }
    }

    /// Under Xvfb, OpenGL is in software; otherwise it is the same as with a graphics card.
    func testAWindowSaysWhatDrawsIt() throws {
        try onMainThread {
            try requireDisplay()
            for (renderer, expected) in [(ScreenRenderer.cairo, WindowRenderer.cairo), (.openGL, .softwareOpenGL)] {
                let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
                XCTAssertEqual(picture.renderer, .hardware, "in no window")
                let stage = try ScreenStage(PixelSize(width: 40, height: 30), picture, renderer, self)
                stage.drawFrames(1)
                XCTAssertEqual(picture.renderer, expected)
                stage.close()
            }
        }
    }

    @MainActor
    private func pixels(of node: OpaquePointer) -> Pixels {
        Pixels.drawnByCairo(PixelSize(width: 8, height: 4)) { gtk_snapshot_append_node($0, node) }
    }

    /// nil where nothing is drawn.
    @MainActor
    private func frame(of color: RGBAColor, width: Double = 8, _ canvas: FrameCanvas) -> OpaquePointer? {
        let bounds = PointRect(x: 0, y: 0, width: width, height: 4)
        let stroke = CairoStroke(paint: .shade(from: color, to: color, axis: .horizontal), area: bounds)
        var isDrawn = false
        let node = Pixels.node { isDrawn = canvas.draw([stroke], in: bounds, scale: 1, into: Snapshot(pointer: $0)) }
        return isDrawn ? node : nil
    }
}
