import WebImage
import WebImageTestSupport
import XCTest

@testable import WebImageGTK

/// All effects at several points of their progress, under both renderers.
final class EffectPaintingTests: GTKTestCase, @unchecked Sendable {
    private static let steps: [Double] = [0, 0.25, 0.5, 0.75, 1]

    /// TRN-6, TRN-7
    func testOpaquePicturesThatFillTheView() throws {
        try onMainThread {
            initializeGTK()
            try check(PaintedScene(PointSize(width: 120, height: 80), scale: 1, alpha: 1, margin: 0), "opaque")
        }
    }

    /// TRN-6, TRN-7
    func testTranslucentPicturesOfOtherProportionsOnADenseScreen() throws {
        try onMainThread {
            initializeGTK()
            try check(PaintedScene(PointSize(width: 60, height: 44), scale: 2, alpha: 0.7, margin: 5), "translucent")
        }
    }

    /// OpenGL does not antialias edges between pixels. In a small view such edges are a large share of the picture.
    private static func threshold(beside effect: String) -> Double {
        effect == "blurToSharp" ? 31 : 50
    }

    @MainActor
    private func check(_ painted: PaintedScene, _ what: String) throws {
        painted.forEachFrame(at: Self.steps) { effect, frame, layers, expected in
            let cairo = painted.byCairo(layers)
            let isExact = !layers.contains(where: \.isPage)
            XCTAssertGreaterThanOrEqual(cairo.signalToNoise(expected), isExact ? 49 : 40, "cairo, \(what) \(frame)")
            guard let openGL = painted.byOpenGL(layers) else { return }
            let least = Self.threshold(beside: effect.name)
            XCTAssertGreaterThanOrEqual(openGL.signalToNoise(cairo), least, "GL beside cairo, \(what) \(frame)")
        }
        try requireOpenGL()
    }
}
