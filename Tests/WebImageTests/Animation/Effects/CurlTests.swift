import Foundation
import Testing

@testable import WebImage

/// Curls against a simulated sheet in space, of which the uppermost part is visible.
@Suite("Effects: page curls")
struct CurlTests {
    /// A sheet from its top to its lower end: flat, then around half of a cylinder, then straight.
    private struct BentSheet {
        struct Point {
            let position: Double
            let y: Double
            let height: Double
            let isBack: Bool
        }

        private var points: [Point] = []
        private let step: Double
        private var lowest = 0.0

        init(length: Double, fold: Double, radius: Double, step: Double) {
            self.step = step
            var (y, height, angle, position) = (0.0, 0.0, 0.0, 0.0)
            while position < length {
                let isBent = position >= fold && position < fold + .pi * radius
                let middle = angle + (isBent ? step / radius / 2 : 0)
                y += cos(middle) * step
                height += sin(middle) * step
                angle += isBent ? step / radius : 0
                position += step
                points.append(Point(position: position, y: y, height: height, isBack: cos(angle) < 0))
                lowest = max(lowest, y)
            }
        }

        subscript(position: Double) -> Point {
            points[max(0, min(points.count - 1, Int((position / step).rounded()) - 1))]
        }

        /// The point visible from above in the middle of each row of pixels.
        func tops(scale: Double) -> [Int: Point] {
            points.reduce(into: [:]) { tops, point in
                let row = (point.y * scale).rounded(.down)
                guard abs(point.y - (row + 0.5) / scale) <= step else { return }
                if let top = tops[Int(row)], top.height > point.height { return }
                tops[Int(row)] = point
            }
        }

        /// Whether the uppermost part changes near `y`: at the ends of the sheet, and at its lowest point.
        func isNearEdge(_ y: Double, within distance: Double) -> Bool {
            abs(y - lowest) < distance || abs(y - (points.last?.y ?? 0)) < distance
        }
    }

    @Test(
        "TRN-6 S1-16 a curled page looks like a sheet bent round a cylinder, seen from above",
        arguments: [0.03, 0.08, 0.12, 0.16, 0.2, 0.25, 0.4, 0.5, 0.62, 0.75, 0.79], [1.0, 2])
    func cylinder(progress: Double, scale: Double) throws {
        let scene = TransitionScene(size: PointSize(width: 100, height: 240), scale: scale)
        let curl = PageCurl(progress: progress, in: scene)
        try #require(curl.fold > 0)
        let sheet = BentSheet(length: 240, fold: curl.fold, radius: curl.radius, step: 0.02)
        let tops = sheet.tops(scale: scale)
        let layers = TransitionEffect.curlUp.layers(at: progress, in: scene)
        for row in 0..<Int(240 * scale) {
            let y = (Double(row) + 0.5) / scale
            guard !sheet.isNearEdge(y, within: 2.5 / scale) else { continue }
            let pages = layers.pages(atX: 50, y: y)
            try #require(pages.count == 1, "row \(row)")
            guard let point = tops[row] else {
                #expect(pages[0].content == .new && pages[0].y == y)
                continue
            }
            #expect(pages[0].content == .old && pages[0].x == 50)
            #expect(pages[0].layer.isMirroredVertically == point.isBack, "row \(row)")
            // Where the sheet stands upright, a pixel covers much of it: compares on the screen.
            let seen = sheet[pages[0].y]
            #expect(abs(seen.y - y) < 2.6 / scale, "row \(row)")
        }
    }

    @Test("TRN-7 the page moves upwards and uncovers more of the new picture in each frame, until it is gone")
    func monotone() {
        let scene = TransitionScene(size: PointSize(width: 100, height: 240))
        var uncovered = 0.0
        for progress in stride(from: 0.002, to: 1, by: 0.002) {
            let layers = TransitionEffect.curlUp.layers(at: progress, in: scene)
            let new = layers.first { $0.content == .new }?.frame.size.height ?? 0
            #expect(new >= uncovered)
            uncovered = new
        }
        #expect(uncovered == 240)
        #expect(TransitionEffect.curlUp.layers(at: 0.9999, in: scene).count == 1, "no shadow is left at the end")
    }

    @Test(
        "the visible page consists of adjacent parts that meet at edges of device pixels",
        arguments: [1.0, 1.5, 2])
    func seams(scale: Double) {
        let scene = TransitionScene(size: PointSize(width: 100, height: 240), scale: scale)
        for progress in stride(from: 0.005, to: 1, by: 0.015) {
            let pictures = TransitionEffect.curlUp.layers(at: progress, in: scene).pictures
            let frames = pictures.map(\.frame).sorted { $0.y < $1.y }
            for (frame, next) in zip(frames, frames.dropFirst()) { #expect(abs(frame.maxY - next.y) < 1e-9) }
            for edge in frames.flatMap({ [$0.y, $0.maxY] }) {
                #expect(abs((edge * scale).rounded() - edge * scale) < 1e-6)
            }
            let fronts = pictures.filter { $0.content == .old && !$0.isMirroredVertically }.map(\.source)
            let backs = pictures.filter { $0.content == .old && $0.isMirroredVertically }.map(\.source)
            for parts in [fronts, backs.sorted { $0.y < $1.y }] {
                for (part, next) in zip(parts, parts.dropFirst()) { #expect(part.maxY <= next.y + 1e-9) }
            }
            if let end = fronts.map(\.maxY).max(), let start = backs.map(\.y).min() { #expect(end <= start + 1e-9) }
        }
    }

    @Test("round parts of the page stay the same from frame to frame, except those at the ends of the bend")
    func sameParts() {
        let scene = TransitionScene(size: PointSize(width: 100, height: 240))
        let cuts = Set((0...160).map { PixelGrid(scale: 1).cut($0, of: 160, length: 240) })
        var all: Set<PointRect> = []
        for progress in stride(from: 0.1, to: 0.9, by: 0.01) {
            let parts = TransitionEffect.curlUp.layers(at: progress, in: scene).pictures.filter { $0.content == .old }
            let same = parts.map(\.source).filter {
                cuts.contains($0.y) && cuts.contains($0.maxY) && $0.size.height < 3
            }
            #expect(parts.count - same.count <= 5)
            all.formUnion(same)
        }
        #expect(all.count <= 160 && all.count > 100)
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
                    default: #expect(layer.content == other.content)
                    }
                }
            }
        }
    }

    @Test("the page's back is pale, its bend is shaded, and it casts a shadow on itself and on the new picture")
    func light() throws {
        let scene = TransitionScene(size: PointSize(width: 100, height: 240))
        let layers = TransitionEffect.curlUp.layers(at: 0.4, in: scene)
        let curl = PageCurl(progress: 0.4, in: scene)
        func color(at y: Double) -> [RGBAColor] {
            layers.compactMap { layer in
                guard case .shade(let from, _, .vertical) = layer.content, layer.content(atX: 50, y: y) != nil else {
                    return nil
                }
                return from
            }
        }
        let back = try #require(color(at: (curl.looseEdge + curl.fold) / 2).first)
        #expect(back.red == 255 && back.alpha == 153)
        #expect(try #require(color(at: curl.lowestEdge - 0.5).first).red < 200, "the bend is darker")
        let below = try #require(layers.first { $0.frame.y == curl.lowestEdge && !$0.isPicture })
        guard case .shade(let near, let far, _) = below.content else { return }
        #expect(near.alpha > 80 && far.alpha == 0 && near.red == 0)
        let above = try #require(layers.first { $0.frame.maxY == curl.looseEdge && !$0.isPicture })
        guard case .shade(let farther, let nearer, _) = above.content else { return }
        #expect(farther.alpha == 0 && nearer.alpha > 70)
    }

    @Test("light and shadow come and go without a jump")
    func smoothLight() {
        let scene = TransitionScene(size: PointSize(width: 100, height: 240))
        func darkness(_ progress: Double, at y: Double) -> Double {
            let layers = TransitionEffect.curlUp.layers(at: progress, in: scene)
            return layers.reduce(0) { sum, layer in
                guard case .shade(let from, let to, _) = layer.content, layer.content(atX: 50, y: y) != nil else {
                    return sum
                }
                let share = (y - layer.frame.y) / layer.frame.size.height
                return sum + Double(from.alpha) * (1 - share) + Double(to.alpha) * share
            }
        }
        // At the top, where the page is flat until the loose end arrives: before that, only its shadow is visible.
        var last = 0.0
        for progress in stride(from: 0.0, to: 0.4, by: 0.001) {
            let now = darkness(progress, at: 5.5)
            #expect(abs(now - last) < 8)
            last = now
        }
        // Below, the new picture after the page has left.
        last = darkness(0.5, at: 230.5)
        for progress in stride(from: 0.5, to: 1, by: 0.001) {
            let now = darkness(progress, at: 230.5)
            #expect(now <= last + 1e-9)
            last = now
        }
    }

    @Test("the back of a translucent page is paler, since less of it is visible, and nothing lies below it")
    func translucentBack() throws {
        let scene = TransitionScene(size: PointSize(width: 100, height: 240), isOldOpaque: false)
        let layers = TransitionEffect.curlUp.layers(at: 0.5, in: scene)
        let backs = layers.filter(\.isMirroredVertically)
        #expect(!backs.isEmpty && backs.allSatisfy { abs($0.opacity - 0.4) < 1e-9 })
        for y in stride(from: 0.5, to: 240, by: 1) {
            #expect(layers.pages(atX: 50, y: y).count == 1)
        }
    }
}
