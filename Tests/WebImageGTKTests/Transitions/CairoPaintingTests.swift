import CGtk4
import WebImage
import WebImageTestLoads
import WebImageTestSupport
import XCTest

@testable import WebImageGTK

/// Transitions with cairo as the renderer: drawn from surfaces that are created once.
final class CairoPaintingTests: GTKTestCase, @unchecked Sendable {
    private static let steps: [Double] = [0, 0.2, 0.5, 0.7, 0.95, 1]
    private static let size = PointSize(width: 120, height: 80)

    /// TRN-6, TRN-7
    func testEveryEffectIsSeenAsItIsMeant() throws {
        try onMainThread {
            initializeGTK()
            for (scale, alpha, margin) in [(1.0, 1.0, 0.0), (2, 1, 6), (1, 1, 6.5), (2, 0.7, 5.25)] {
                let painted = try PaintedScene(
                    Self.size, scale: scale, alpha: alpha, margin: margin, renderer: .cairo)
                // Edges between pixels of a reduced picture are less soft than exact.
                let exact = margin == margin.rounded() ? 44.0 : 30
                painted.forEachFrame(at: [0.2, 0.95]) { _, frame, layers, expected in
                    let least = layers.contains(where: \.isPage) ? 40 : exact
                    XCTAssertGreaterThanOrEqual(
                        painted.byCairo(layers).signalToNoise(expected), least,
                        "\(frame), scale \(scale), alpha \(alpha), \(margin)")
                }
            }
        }
    }

    /// Pictures in their place, pixel for pixel, are drawn unchanged.
    func testNothingIsLostOnADenseScreen() throws {
        try onMainThread {
            initializeGTK()
            let painted = try PaintedScene(Self.size, scale: 2, alpha: 1, margin: 0, renderer: .cairo)
            for (layer, picture) in [(TransitionLayer.Content.old, painted.old), (.new, painted.new)] {
                let layers = [TransitionLayer(layer, source: painted.scene.bounds)]
                XCTAssertGreaterThanOrEqual(painted.byCairo(layers).signalToNoise(Pixels(picture)), 90)
            }
        }
    }

    /// A texture would be converted, and reduced, in each frame.
    func testNoFrameHasATexture() throws {
        try onMainThread {
            initializeGTK()
            let painted = try PaintedScene(Self.size, scale: 2, alpha: 1, margin: 5, renderer: .cairo)
            for effect in TransitionEffect.all {
                for step in Self.steps {
                    let layers = effect.layers(at: step, in: painted.scene)
                    // A page that stands upright is invisible.
                    guard let node = Pixels.node({ painted.painter.paint(layers, into: $0) }) else { continue }
                    defer { gsk_render_node_unref(node) }
                    XCTAssertEqual(node.textureCount, 0, "\(effect.name) at \(step)")
                    XCTAssertEqual(node.count(of: "cairo {"), 1, "\(effect.name) at \(step)")
                }
            }
        }
    }

    /// An enlarged layer is sharp: it is drawn from the picture, which has more pixels than are visible at rest.
    func testWhatIsEnlargedIsDrawnFromThePicture() throws {
        try onMainThread {
            initializeGTK()
            let picture = try SamplePicture.make(0, width: 480, height: 320)
            let scene = TransitionScene(size: Self.size)
            let painter = TransitionPainter(
                scene: scene, old: TransitionPicture(picture), new: nil, renderer: .cairo)
            let layer = TransitionLayer(
                .old, source: PointRect(x: 30, y: 20, width: 30, height: 20), frame: scene.bounds)
            let drawn = Pixels.drawnByCairo(PixelSize(width: 120, height: 80)) { painter.paint([layer], into: $0) }
            let expected = ReferencePainter(scene: scene, old: Pixels(picture), new: nil).paint([layer])
            XCTAssertGreaterThanOrEqual(drawn.signalToNoise(expected), 45)
        }
    }

    /// Parts of a picture that are clipped at rest are there when an effect moves them into the view.
    func testWhatHangsOverIsNotForgotten() throws {
        try onMainThread {
            initializeGTK()
            let pictures = try (0...1).map { try SamplePicture.make($0, width: 240, height: 80) }
            let frame = PointRect(x: -60, y: 0, width: 240, height: 80)
            let scene = TransitionScene(size: Self.size, oldFrame: frame, newFrame: frame)
            let painted = PaintedScene(scene, old: pictures[0], new: pictures[1], renderer: .cairo)
            let all = TransitionLayer(.old, source: frame, frame: scene.bounds)
            for layers in [[all]] + TransitionEffect.all.map({ $0.layers(at: 0.3, in: scene) }) {
                let ratio = painted.byCairo(layers).signalToNoise(painted.expected(layers))
                XCTAssertGreaterThanOrEqual(ratio, 40, "\(layers.count) layers")
            }
        }
    }

    /// Opaque pictures of proportions different from the view and from each other: strokes are as exact as a
    /// cross-fade.
    func testADissolveOfPicturesThatDoNotHideEachOtherIsExact() throws {
        try onMainThread {
            initializeGTK()
            for renderer in [WindowRenderer.hardware, .cairo, .softwareOpenGL] {
                for frame in [
                    PointRect(x: 10, y: -4, width: 60, height: 90), PointRect(x: 40, y: 20, width: 80, height: 60),
                ] {
                    let scene = TransitionScene(
                        size: Self.size, oldFrame: PointRect(x: 0, y: 15, width: 120, height: 50), newFrame: frame)
                    let painted = PaintedScene(
                        scene, old: try SamplePicture.make(0, width: 120, height: 50),
                        new: try SamplePicture.make(1, width: Int(frame.size.width), height: Int(frame.size.height)),
                        renderer: renderer)
                    for step in [0.1, 0.5, 0.9] {
                        let layers = TransitionEffect.crossDissolve.layers(at: step, in: scene)
                        let cairo = painted.byCairo(layers)
                        XCTAssertGreaterThanOrEqual(cairo.signalToNoise(painted.expected(layers)), 50, "\(step)")
                        guard let openGL = painted.byOpenGL(layers) else { continue }
                        XCTAssertGreaterThanOrEqual(openGL.signalToNoise(cairo), 48, "\(step)")
                        let node = try XCTUnwrap(Pixels.node { painted.painter.paint(layers, into: $0) })
                        defer { gsk_render_node_unref(node) }
                        XCTAssertEqual(node.count(of: "cross-fade {"), 0)
                    }
                }
            }
            try requireOpenGL()
        }
    }

    /// A dissolve that fades as a whole shows the background behind the view, not the former picture.
    func testADissolveMayFadeItself() throws {
        try onMainThread {
            initializeGTK()
            let painted = try PaintedScene(Self.size, scale: 1, alpha: 1, margin: 0, renderer: .cairo)
            let layers = [TransitionLayer(.crossDissolve(0.4), source: painted.scene.bounds, opacity: 0.5)]
            XCTAssertGreaterThanOrEqual(painted.byCairo(layers).signalToNoise(painted.expected(layers)), 45)
        }
    }

    /// Created for the first frame that needs it, and again only when the picture has another place or the screen
    /// another scale.
    func testASurfaceIsMadeOnce() throws {
        try onMainThread {
            initializeGTK()
            let picture = TransitionPicture(try SamplePicture.make(0, width: 120, height: 80))
            let bounds = PointRect(x: 0, y: 0, size: Self.size)
            weak let first = picture.surface(lyingIn: bounds, seenIn: bounds, scale: 1)
            XCTAssertNotNil(first)
            XCTAssertTrue(picture.surface(lyingIn: bounds, seenIn: bounds, scale: 1) === first)
            XCTAssertEqual(picture.surface(lyingIn: bounds, seenIn: bounds, scale: 2)?.scale, 2)
            XCTAssertNil(first, "what is of no use any more is let go")
            let part = PointRect(x: 0, y: 0, width: 60, height: 40)
            XCTAssertEqual(picture.surface(lyingIn: part, seenIn: bounds, scale: 2)?.place, part)
        }
    }

    /// Shading is clipped and faded like other layers.
    func testShadesAreEvenAndBothWays() throws {
        try onMainThread {
            initializeGTK()
            let painted = try PaintedScene(Self.size, scale: 1, alpha: 1, margin: 0, renderer: .cairo)
            let (dark, slightly) = (
                RGBAColor(red: 0, green: 0, blue: 0, alpha: 160), RGBAColor(red: 9, green: 0, blue: 0)
            )
            let layers = [
                TransitionLayer(.old, source: painted.scene.bounds),
                TransitionLayer(
                    .shade(from: .clear, to: dark, axis: .horizontal),
                    source: PointRect(x: 10, y: 10, width: 80, height: 20)),
                TransitionLayer(
                    .shade(from: dark, to: .clear, axis: .vertical),
                    source: PointRect(x: 10, y: 35, width: 80, height: 40), opacity: 0.5),
                TransitionLayer(
                    .shade(from: slightly, to: slightly, axis: .vertical),
                    source: PointRect(x: 95.5, y: -10, width: 80, height: 40)),
            ]
            XCTAssertGreaterThanOrEqual(painted.byCairo(layers).signalToNoise(painted.expected(layers)), 48)
        }
    }
}
