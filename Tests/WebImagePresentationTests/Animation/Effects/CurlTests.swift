import Foundation
import Testing
import WebImageCore

@testable import WebImagePresentation

/// Curls against a simulated sheet in space, of which the uppermost part is visible.
@Suite("Effects: page curls")
struct CurlTests {
    /// A sheet from its first to its last end: flat, then around half of a cylinder, then straight.
    private struct BentSheet {
        struct Point {
            let position: Double
            let place: Double
            let height: Double
            let isBack: Bool
        }

        let points: [Point]

        init(length: Double, fold: Double, radius: Double, step: Double) {
            var points: [Point] = []
            var (place, height, angle, position) = (0.0, 0.0, 0.0, 0.0)
            while position < length {
                let isBent = position >= fold && position < fold + .pi * radius
                let middle = angle + (isBent ? step / radius / 2 : 0)
                place += cos(middle) * step
                height += sin(middle) * step
                angle += isBent ? step / radius : 0
                position += step
                points.append(Point(position: position, place: place, height: height, isBack: cos(angle) < 0))
            }
            self.points = points
        }

        /// The uppermost point near a place; nil beside the sheet.
        func top(at place: Double) -> Point? {
            points.filter { abs($0.place - place) < 0.05 }.max { $0.height < $1.height }
        }
    }

    private func curl(_ progress: Double, angle: Double = TransitionEffect.curlAngle, _ scene: TransitionScene) throws
        -> PageCurl
    {
        let layers = TransitionEffect.curlUp(angle: angle).layers(at: progress, in: scene)
        guard layers.count == 1, case .page(let page) = layers[0].content, case .curl(let curl) = page.shape else {
            throw CancellationError()
        }
        return curl
    }

    @Test(
        "TRN-6 S1-16 a curled page looks like a sheet bent round a cylinder, seen from above",
        arguments: [0.03, 0.08, 0.12, 0.16, 0.2, 0.25, 0.4, 0.5, 0.62, 0.75])
    func cylinder(progress: Double) throws {
        let curl = try curl(progress, TransitionScene(size: PointSize(width: 100, height: 240)))
        let sheet = BentSheet(length: curl.length, fold: curl.fold, radius: curl.radius, step: 0.02)
        for place in stride(from: 0.5, to: curl.length, by: 1) where place < curl.crest - 0.5 {
            guard let top = sheet.top(at: place) else { continue }
            let isBack = curl.back(at: place) <= curl.length
            let position = isBack ? curl.back(at: place) : curl.front(at: place)
            // At the sheet's end, the search finds either side.
            guard abs(curl.back(at: place) - curl.length) > 1, place < sheet.points.map(\.place).max() ?? 0 else {
                continue
            }
            #expect(top.isBack == isBack, "\(place)")
            #expect(abs(top.position - position) < 0.7, "\(place)")
        }
    }

    @Test("TRN-7 the page moves up and away, until neither it nor its shadow is left")
    func monotone() throws {
        let scene = TransitionScene(size: PointSize(width: 100, height: 240))
        var last = Double.infinity
        for progress in stride(from: 0.002, to: 1, by: 0.002) {
            let crest = try curl(progress, scene).crest
            #expect(crest < last)
            last = crest
        }
        let end = try curl(0.9999, scene)
        #expect(end.crest + end.shadowLength < 0.1)
        #expect(abs(try curl(1e-9, scene).fold - end.length) < 1e-6)
    }

    @Test("TRN-7 curling down is curling up from its end to its beginning, with the pictures exchanged")
    func down() {
        for view in EffectScenes.all {
            let scene = view.scene
            let exchanged = TransitionScene(
                size: scene.size, scale: scene.scale, oldFrame: scene.newFrame, newFrame: scene.oldFrame,
                isOldOpaque: scene.isNewOpaque, isNewOpaque: scene.isOldOpaque)
            for progress in EffectScenes.progresses {
                let down = TransitionEffect.curlDown.layers(at: progress, in: scene)
                let up = TransitionEffect.curlUp.layers(at: 1 - progress, in: exchanged)
                #expect(down.count == up.count)
                for (layer, other) in zip(down, up) {
                    #expect(layer.frame == other.frame && layer.source == other.source)
                    switch layer.content {
                    case .old: #expect(other.content == .new)
                    case .new: #expect(other.content == .old)
                    case .page(let page): #expect(other.content == .page(page.exchanged))
                    default: #expect(layer.content == other.content)
                    }
                }
            }
        }
    }

    @Test("a page turns about a tilted axis: a positive angle lifts the lower right corner first")
    func tilt() throws {
        let scene = TransitionScene(size: PointSize(width: 100, height: 80))
        for (angle, first, last) in [
            (0.4, (x: 100.0, y: 80.0), (x: 0.0, y: 0.0)), (-0.4, (x: 0, y: 80), (x: 100, y: 0)),
        ] {
            let curl = try curl(0.3, angle: angle, scene)
            #expect(abs(curl.place(ofX: first.x, y: first.y) - curl.length) < 1e-9)
            #expect(abs(curl.place(ofX: last.x, y: last.y)) < 1e-9)
            #expect(abs(hypot(curl.direction.x, curl.direction.y) - 1) < 1e-9)
        }
        #expect(try curl(0.3, angle: 0, scene).direction == PageCurl.Point(x: 0, y: 1))
    }

    @Test("an angle that no page has is the nearest that it may have")
    func hostileAngles() throws {
        let scene = TransitionScene(size: PointSize(width: 100, height: 80))
        let most = Double.pi / 3
        let angles: [(Double, Double)] = [
            (9, most), (-9, -most), (.infinity, most), (-.infinity, -most), (.nan, 0), (1e-300, 0),
        ]
        for (angle, expected) in angles {
            #expect(try curl(0.3, angle: angle, scene) == curl(0.3, angle: expected, scene))
        }
    }

    @Test("the page's back is darker where it overhangs, and its front where it bends up")
    func light() throws {
        let curl = try curl(0.4, TransitionScene(size: PointSize(width: 100, height: 240)))
        #expect(curl.backLight(at: curl.fold) == 1 && curl.frontLight(at: curl.fold - 5) == 1)
        #expect(abs(curl.backLight(at: curl.crest) - 0.65) < 1e-9)
        #expect(abs(curl.frontLight(at: curl.crest) - 0.6) < 1e-9)
    }
}
