import CGtk4
import WebImage
import WebImageTestSupport
import XCTest

@testable import WebImageGTK

/// Pages in space under all renderers, against points of their exact projection.
final class PagePaintingTests: GTKTestCase, @unchecked Sendable {
    private static let effects: [TransitionEffect] = [
        .flipFromLeft, .flipFromRight, .flipFromTop, .flipFromBottom, .curlUp, .curlDown, .curlUp(angle: -0.6),
        .curlDown(angle: 0), .zoom,
    ]
    private static let renderers = [WindowRenderer.hardware, .softwareOpenGL, .cairo]

    /// TRN-6, TRN-7
    func testPagesLookLikeTheirExactProjection() throws {
        try onMainThread {
            initializeGTK()
            for (width, height, scale, alpha) in [
                (120.0, 80.0, 1.0, 1.0), (61, 47, 1, 1), (30, 43, 2, 0.7),
            ] {
                for renderer in Self.renderers {
                    let painted = try PaintedScene(
                        PointSize(width: width, height: height), scale: scale, alpha: alpha, margin: 0,
                        renderer: renderer)
                    try check(painted, "\(width) × \(height), \(renderer)")
                }
            }
            try requireOpenGL()
        }
    }

    @MainActor
    private func check(_ painted: PaintedScene, _ what: String) throws {
        for effect in Self.effects {
            for progress in [0.1, 0.45, 0.8] {
                let layers = effect.layers(at: progress, in: painted.scene)
                let expected = painted.expected(layers)
                let name = "\(effect.name) at \(progress), \(what)"
                XCTAssertGreaterThanOrEqual(painted.byCairo(layers).signalToNoise(expected), 40, name)
                guard let openGL = painted.byOpenGL(layers) else { continue }
                XCTAssertGreaterThanOrEqual(openGL.signalToNoise(expected), 40, name)
            }
        }
    }

    /// The third frame of `webimage transition --effect flipFromLeft --size 768x512`.
    func testTheUpperEdgeOfAPageIsALine() throws {
        try onMainThread {
            initializeGTK()
            let painted = try PaintedScene(PointSize(width: 768, height: 512), scale: 1, alpha: 1, margin: 0)
            let progress = TimingFunction.easeInEaseOut.value(at: 3.0 / 15)
            let layers = TransitionEffect.flipFromLeft.layers(at: progress, in: painted.scene)
            for pixels in [painted.byCairo(layers), painted.byOpenGL(layers)].compactMap(\.self) {
                let tops = (0..<768).map { column in
                    256 - (0..<256).reduce(0) { $0 + Double(pixels[column, $1].w) / 255 }
                }
                // Between two points far from the page's sides, the edge is a line.
                let (first, last) = (140, 620)
                let slope = (tops[last] - tops[first]) / Double(last - first)
                XCTAssertGreaterThan(slope, 0.02)
                for column in first...last {
                    XCTAssertEqual(tops[column], tops[first] + slope * Double(column - first), accuracy: 0.1)
                }
            }
            try requireOpenGL()
        }
    }

    /// A page that an app places elsewhere stays within its frame.
    func testAPageMayBePartOfAnotherEffect() throws {
        try onMainThread {
            initializeGTK()
            let painted = try PaintedScene(PointSize(width: 120, height: 80), scale: 1, alpha: 1, margin: 0)
            var layer = TransitionEffect.curlUp.layers(at: 0.4, in: painted.scene)[0]
            let whole = painted.byCairo([layer])
            layer.frame = PointRect(x: 60, y: 40, width: 120, height: 80)
            let moved = painted.byCairo([layer])
            for (x, y) in [(3, 5), (30, 30), (55, 20)] {
                let difference = moved[60 + x, 40 + y] - whole[x, y]
                XCTAssertLessThanOrEqual((difference * difference).max(), 4)
            }
            XCTAssertEqual(moved[30, 60], .zero)
            layer.frame = painted.scene.bounds
            layer.isMirroredHorizontally = true
            let mirrored = painted.byCairo([layer])
            let difference = mirrored[20, 30] - whole[99, 30]
            XCTAssertLessThanOrEqual((difference * difference).max(), 4)
        }
    }

    /// Frames use the same pixels in turn, and a picture is rendered once.
    func testAFrameNeedsNoMemoryOfItsOwn() throws {
        try onMainThread {
            initializeGTK()
            let scene = TransitionScene(size: PointSize(width: 120, height: 80))
            let pictures = try (0...1).map { TransitionPicture(try SamplePicture.make($0, width: 120, height: 80)) }
            for renderer in Self.renderers {
                let canvas = FrameCanvas()
                let painter = TransitionPainter(
                    scene: scene, old: pictures[0], new: pictures[1], renderer: renderer, canvas: canvas)
                for effect in Self.effects {
                    for step in 1..<10 {
                        let layers = effect.layers(at: Double(step) / 10, in: scene)
                        guard let node = Pixels.node({ painter.paint(layers, into: $0) }) else { continue }
                        gsk_render_node_unref(node)
                    }
                }
                XCTAssertLessThanOrEqual(canvas.surfaceCount, 2, "\(renderer)")
            }
        }
    }
}
