import CGtk4
import WebImage
import WebImageTestSupport
import XCTest

@testable import WebImageGTK

/// Effects of apps that divide by zero, or never end: no such number may reach a renderer, or affect valid layers.
final class HostileEffectTests: GTKTestCase, @unchecked Sendable {
    private static let size = PointSize(width: 60, height: 40)
    private static let bounds = PointRect(x: 0, y: 0, size: size)
    private static let numbers = [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e9, -1e9, 0, -5, 1e-300]

    /// Every number in every place, for source and frame.
    private static var rectangles: [PointRect] {
        numbers.flatMap { number in
            [
                PointRect(x: number, y: 0, size: size), PointRect(x: 0, y: number, size: size),
                PointRect(x: 0, y: 0, width: number, height: 40), PointRect(x: 0, y: 0, width: 60, height: number),
                PointRect(x: number, y: number, width: number, height: number),
            ]
        }
    }

    private static func layers(of content: TransitionLayer.Content) -> [TransitionLayer] {
        rectangles.flatMap { rectangle in
            var mirrored = TransitionLayer(content, source: bounds, frame: rectangle)
            mirrored.isMirroredHorizontally = true
            mirrored.isMirroredVertically = true
            return [
                TransitionLayer(content, source: rectangle), TransitionLayer(content, source: bounds, frame: rectangle),
                TransitionLayer(content, source: rectangle, frame: bounds), mirrored,
            ]
        } + numbers.map { TransitionLayer(content, source: bounds, opacity: $0) }
    }

    /// Layers after an invalid one are drawn as if it did not exist.
    func testLayersThatCannotBeDrawnDisturbNoOthers() throws {
        try onMainThread {
            let painted = try scene()
            let shade = RGBAColor(red: 0, green: 0, blue: 0, alpha: 100)
            let contents: [TransitionLayer.Content] = [
                .old, .new, .blurredNew, .crossDissolve(0.5), .crossDissolve(.nan),
                .shade(from: shade, to: .clear, axis: .horizontal), .shade(from: shade, to: shade, axis: .vertical),
            ]
            let pages = [TransitionEffect.flipFromLeft, .curlUp, .zoom].flatMap {
                $0.layers(at: 0.3, in: painted.scene)
            }
            let plain = [TransitionLayer(.new, source: Self.bounds)]
            let expected = painted.byCairo(plain)
            for content in contents + pages.map(\.content) {
                for layer in Self.layers(of: content) {
                    let cairo = painted.byCairo([layer] + plain)
                    XCTAssertEqual(cairo.signalToNoise(expected), .infinity, "\(layer)")
                }
                let all = Self.layers(of: content)
                guard let openGL = painted.byOpenGL(all + plain) else { continue }
                XCTAssertGreaterThanOrEqual(openGL.signalToNoise(expected), 50, "\(content)")
            }
            try requireOpenGL()
        }
    }

    /// A layer may be so large that its numbers are too coarse for a renderer; its visible part is correct all the
    /// same.
    func testOfALayerWithoutMeasureTheRightPartIsSeen() throws {
        try onMainThread {
            let painted = try scene()
            for (width, x) in [(4e5, -2e5), (2e6, -1e6)] {
                for isMirrored in [false, true] {
                    // The centre of the picture is in the centre of the view, at a size at which it has one colour.
                    var layer = TransitionLayer(
                        .new, source: Self.bounds, frame: PointRect(x: x + 30, y: 0, width: width, height: 40))
                    layer.isMirroredHorizontally = isMirrored
                    let column = PointRect(x: 29.999, y: 0, width: 0.002, height: 40)
                    let expected = painted.byCairo([TransitionLayer(.new, source: column, frame: Self.bounds)])
                    let ratio = painted.byCairo([layer]).signalToNoise(expected)
                    XCTAssertGreaterThanOrEqual(ratio, 40, "\(width), mirrored \(isMirrored)")
                }
            }
            let (start, end) = (RGBAColor(red: 0, green: 0, blue: 0), RGBAColor.white)
            let shade = TransitionLayer(
                .shade(from: start, to: end, axis: .vertical), source: Self.bounds,
                frame: PointRect(x: 0, y: -1e8 + 20, width: 60, height: 2e8))
            let middle = painted.byCairo([shade])[30, 20]
            XCTAssertEqual(middle.x, 128, accuracy: 2)
            XCTAssertEqual(middle.w, 255)
        }
    }

    /// Ten thousand layers are slow, and do no other harm.
    func testThousandsOfLayersAreDrawn() throws {
        try onMainThread {
            let painted = try scene()
            let layers = (0..<10_000).map { index in
                let part = PointRect(
                    x: Double(index % 100) * 0.6, y: Double(index / 100) * 0.4, width: 0.6, height: 0.4)
                return TransitionLayer(.old, source: part)
            }
            let plain = [TransitionLayer(.new, source: Self.bounds)]
            let ratio = painted.byCairo(layers + plain).signalToNoise(painted.byCairo(plain))
            XCTAssertEqual(ratio, .infinity)
        }
    }

    /// A view with a transform of NaN or infinite numbers is invisible, and drawing continues.
    func testATransformThatIsNoneHidesThePictureAlone() throws {
        try onMainThread {
            initializeGTK()
            let content = TransitionContent(nil, from: nil, to: ViewContent(StillContent(try Colour.red.image())))
            for number in Self.numbers {
                for transform in [
                    ViewTransform(rotation: number), ViewTransform(scale: number), ViewTransform(x: number),
                    ViewTransform(y: number),
                ] {
                    content.appearance = ViewAppearance(alpha: 1, transform: transform)
                    let below = StillContent(try Colour.green.image(width: 16, height: 16))
                    let pixels = Pixels.drawnByCairo(PixelSize(width: 16, height: 16)) { snapshot in
                        gtk_snapshot_save(snapshot)
                        content.draw(snapshot, width: 8, height: 8)
                        gtk_snapshot_restore(snapshot)
                        var origin = graphene_point_t(x: 0, y: 8)
                        gtk_snapshot_translate(snapshot, &origin)
                        below.draw(snapshot, width: 16, height: 8)
                    }
                    XCTAssertEqual(pixels[12, 12], SIMD4(0, 255, 0, 255), "\(transform)")
                }
            }
            content.appearance = ViewAppearance(alpha: .nan)
            let pixels = Pixels.drawnByCairo(PixelSize(width: 8, height: 8)) { content.draw($0, width: 8, height: 8) }
            XCTAssertEqual(pixels[4, 4], .zero)
        }
    }

    @MainActor
    private func scene() throws -> PaintedScene {
        initializeGTK()
        return try PaintedScene(Self.size, scale: 1, alpha: 1, margin: 0)
    }
}
