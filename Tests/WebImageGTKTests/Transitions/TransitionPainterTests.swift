import CGtk4
import Glibc
import WebImage
import WebImageTestLoads
import WebImageTestSupport
import XCTest

@testable import WebImageGTK

/// The painter's drawing, against an independent reference, and under both renderers.
final class TransitionPainterTests: GTKTestCase, @unchecked Sendable {
    /// For strips, in decibels. Renderers filter sharp letters differently when they are reduced to half of their
    /// width.
    private static let strips = 34.0
    private static let fades = 50.0

    func testAPartIsDrawnWhereItGoes() throws {
        try onMainThread {
            try check(Self.strips) { scene in
                let part = PointRect(x: 20, y: 12, width: 45, height: 32)
                return [
                    TransitionLayer(.old, source: scene.bounds),
                    TransitionLayer(.new, source: part, frame: PointRect(x: 40, y: 28, width: 60, height: 40)),
                ]
            }
        }
    }

    func testMirroredPartsAreMirrored() throws {
        try onMainThread {
            try check(Self.strips) { scene in
                var horizontal = TransitionLayer(.old, source: scene.bounds)
                horizontal.isMirroredHorizontally = true
                var vertical = TransitionLayer(
                    .new, source: PointRect(x: 25, y: 10, width: 40, height: 40),
                    frame: PointRect(x: 50, y: 20, width: 60, height: 50))
                vertical.isMirroredVertically = true
                vertical.isMirroredHorizontally = true
                return [horizontal, vertical]
            }
        }
    }

    func testCrossDissolvesAreExact() throws {
        try onMainThread {
            for progress in [0, 0.25, 0.5, 0.75, 1] {
                try check(Self.fades) { scene in
                    [TransitionLayer(.crossDissolve(progress), source: scene.bounds)]
                }
            }
        }
    }

    /// With cairo as the renderer, opaque pictures dissolve without textures: to the same pixels.
    func testInCairosOwnWayADissolveIsTheSame() throws {
        try onMainThread {
            initializeGTK()
            let size = PixelSize(width: 120, height: 80)
            let pictures = try (0...1).map { try SamplePicture.make($0, width: 120, height: 80) }
            for scale in [1.0, 2] {
                let bounds = PointRect(x: 0, y: 0, width: 120 / scale, height: 80 / scale)
                let inset = PointRect(x: 5.25, y: 3.5, width: 40.5, height: 31)
                for (old, new) in [(bounds, bounds), (inset, bounds), (inset, inset)] {
                    let scene = TransitionScene(size: bounds.size, scale: scale, oldFrame: old, newFrame: new)
                    let painter = TransitionPainter(
                        scene: scene, old: TransitionPicture(pictures[0]), new: TransitionPicture(pictures[1]),
                        renderer: .cairo)
                    let reference = ReferencePainter(scene: scene, old: Pixels(pictures[0]), new: Pixels(pictures[1]))
                    for progress in [0.0, 0.3, 0.9, 1] {
                        let layers = TransitionEffect.crossDissolve.layers(at: progress, in: scene)
                        let drawn = Pixels.drawnByCairo(size, scale: scale) { painter.paint(layers, into: $0) }
                        let ratio = drawn.signalToNoise(reference.paint(layers))
                        XCTAssertGreaterThanOrEqual(ratio, 34, "\(scale), \(old), \(new), at \(progress)")
                    }
                    let node = try XCTUnwrap(
                        Pixels.node { painter.paint([TransitionLayer(.crossDissolve(0.5), source: bounds)], into: $0) })
                    defer { gsk_render_node_unref(node) }
                    XCTAssertEqual(node.textureCount, 0)
                }
            }
        }
    }

    /// Parts that are whole pixels of the picture are drawn without the neighbouring pixels: the difference is invisible.
    func testStripsOfWholePixelsShowNoSeams() throws {
        try onMainThread {
            initializeGTK()
            let painted = try PaintedScene(PointSize(width: 480, height: 400), scale: 1, alpha: 1, margin: 0)
            let layers = (0..<60).map { index -> TransitionLayer in
                let (x, target) = (Double(8 * index), Double(60 + 6 * index))
                return TransitionLayer(
                    .old, source: PointRect(x: x, y: 0, width: 8, height: 400),
                    frame: PointRect(x: target, y: 0, width: 6, height: 400))
            }
            XCTAssertGreaterThanOrEqual(painted.byCairo(layers).signalToNoise(painted.expected(layers)), 44)
            XCTAssertEqual(try clipCount(painted, layers), 0)
            let part = PointRect(x: 20.3, y: 10.7, width: 30, height: 20)
            XCTAssertGreaterThan(try clipCount(painted, [TransitionLayer(.old, source: part)]), 0)
        }
    }

    @MainActor
    private func clipCount(_ painted: PaintedScene, _ layers: [TransitionLayer]) throws -> Int {
        let node = try XCTUnwrap(Pixels.node { painted.painter.paint(layers, into: $0) })
        defer { gsk_render_node_unref(node) }
        return node.count(of: "clip {")
    }

    func testShadesAreEvenAndBothWays() throws {
        try onMainThread {
            try check(Self.fades) { scene in
                let half = RGBAColor(red: 0, green: 0, blue: 0, alpha: 160)
                var layers = [TransitionLayer(.old, source: scene.bounds)]
                layers.append(
                    TransitionLayer(
                        .shade(from: .clear, to: half, axis: .horizontal), source: scene.bounds,
                        frame: PointRect(x: 10, y: 10, width: 80, height: 20)))
                layers.append(
                    TransitionLayer(
                        .shade(from: half, to: .clear, axis: .vertical), source: scene.bounds,
                        frame: PointRect(x: 10, y: 35, width: 80, height: 40)))
                return layers
            }
        }
    }

    /// A turning page, as strips on whole device pixels, each with a part of the picture that is not whole pixels.
    func testStripsShowNoSeams() throws {
        try onMainThread {
            try check(Self.strips) { Self.turned($0, .new) }
        }
    }

    private static func turned(_ scene: TransitionScene, _ content: TransitionLayer.Content) -> [TransitionLayer] {
        let count = 24
        let (width, height) = (scene.size.width, scene.size.height)
        let edges = (0...count).map { index in
            let share = Double(index) / Double(count)
            return ((share * 0.8 + 0.1) * width * scene.scale).rounded() / scene.scale
        }
        return zip(edges, edges.dropFirst()).map { left, right in
            func inverse(_ x: Double) -> Double {
                let share = (x / width - 0.1) / 0.8
                return width * (0.5 + 0.5 * sin((share - 0.5) * 2) / sin(1))
            }
            let top = ((0.15 - 0.1 * left / width) * height * scene.scale).rounded() / scene.scale
            return TransitionLayer(
                content,
                source: PointRect(x: inverse(left), y: 0, width: inverse(right) - inverse(left), height: height),
                frame: PointRect(x: left, y: top, width: right - left, height: height - 2 * top))
        }
    }
}

// MARK: - Steps

extension TransitionPainterTests {
    private static let size = PointSize(width: 120, height: 80)

    /// Opaque and translucent pictures, one of the view's size and one with margins, at both scales: cairo against the
    /// reference, and GL against cairo.
    @MainActor
    private func check(
        _ threshold: Double, file: StaticString = #filePath, line: UInt = #line,
        _ layers: (TransitionScene) -> [TransitionLayer]
    ) throws {
        initializeGTK()
        for (scale, alpha, isLetterboxed) in [(1.0, 1.0, false), (2, 1, true), (1, 0.7, true), (2, 0.7, false)] {
            let what = "scale \(scale), alpha \(alpha), letterboxed \(isLetterboxed)"
            try check(threshold, scale, alpha, isLetterboxed, what, layers, file: file, line: line)
        }
    }

    @MainActor
    private func check(
        _ threshold: Double, _ scale: Double, _ alpha: Double, _ isLetterboxed: Bool, _ what: String,
        _ layers: (TransitionScene) -> [TransitionLayer], file: StaticString, line: UInt
    ) throws {
        let painted = try PaintedScene(Self.size, scale: scale, alpha: alpha, margin: isLetterboxed ? 10 : 0)
        let drawn = layers(painted.scene)
        let cairo = painted.byCairo(drawn)
        let ratio = cairo.signalToNoise(painted.expected(drawn))
        XCTAssertGreaterThanOrEqual(ratio, threshold, "cairo, \(what)", file: file, line: line)
        guard let openGL = painted.byOpenGL(drawn) else { return try requireOpenGL() }
        let difference = openGL.signalToNoise(cairo)
        // GL does not antialias edges between pixels, which is invisible in motion.
        let allowance = isLetterboxed ? 4.0 : 0
        XCTAssertGreaterThanOrEqual(
            difference, threshold - allowance, "GL beside cairo, \(what)", file: file, line: line)
    }
}
