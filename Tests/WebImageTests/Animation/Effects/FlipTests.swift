import Foundation
import Testing

@testable import WebImage

/// Flips against ray casting: from the eye through a point of the view, to the turned page. Independent of the effect's
/// own formulas, which compute the other direction.
@Suite("Effects: flips")
struct FlipTests {
    /// A page turned around its centre line, and an eye.
    private struct TurnedPage {
        let size: PointSize
        /// From the left end to the right one, or from the top to the bottom, in space: z points towards the eye.
        let direction: (x: Double, y: Double, z: Double)
        let isVertical: Bool
        let stepBack: Double

        init(size: PointSize, side: ViewSide, angle: Double) {
            self.size = size
            isVertical = side.axis == .vertical
            // The named side moves towards the eye.
            let depth = side == .left || side == .top ? -sin(angle) : sin(angle)
            direction = isVertical ? (0, cos(angle), depth) : (cos(angle), 0, depth)
            stepBack = (isVertical ? size.height : size.width) / 2 * abs(sin(angle))
        }

        private var eye: Double { 2 * max(size.width, size.height) }

        /// The point of the page at rest that is visible at a point of the view; it may lie outside of the page.
        func point(seenAtX x: Double, y: Double) -> (x: Double, y: Double) {
            // middle + u·direction + v·across = eye + t·(point - eye); u first, by the ray's slope.
            let (sx, sy) = (x - size.width / 2, y - size.height / 2)
            let along = isVertical ? sy : sx
            let across = isVertical ? sx : sy
            let turn = isVertical ? direction.y : direction.x
            // z along the ray: eye·(1 - t); on the page: u·direction.z - stepBack. Along: t·along = u·turn.
            let u = along * (eye + stepBack) / (eye * turn + along * direction.z)
            let t = 1 - (u * direction.z - stepBack) / eye
            let v = across * t
            return isVertical
                ? (v + size.width / 2, u + size.height / 2) : (u + size.width / 2, v + size.height / 2)
        }

        /// The visible place of a point of the page: the reverse direction, for distances on the screen.
        func place(ofX x: Double, y: Double) -> (x: Double, y: Double) {
            let u = isVertical ? y - size.height / 2 : x - size.width / 2
            let v = isVertical ? x - size.width / 2 : y - size.height / 2
            let z = u * direction.z - stepBack
            let near = eye / (eye - z)
            let (along, across) = (u * (isVertical ? direction.y : direction.x) * near, v * near)
            return isVertical
                ? (across + size.width / 2, along + size.height / 2)
                : (along + size.width / 2, across + size.height / 2)
        }
    }

    static let flips: [(TransitionEffect, ViewSide)] = [
        (.flipFromLeft, .left), (.flipFromRight, .right), (.flipFromTop, .top), (.flipFromBottom, .bottom),
    ]
    static let sizes = [
        PointSize(width: 320, height: 200), PointSize(width: 90, height: 400), PointSize(width: 640, height: 400),
        PointSize(width: 16, height: 12), PointSize(width: 600, height: 14),
    ]

    @Test(
        "TRN-6 S1-16 a flip is the exact perspective of a turning page, to a pixel: the old face, then the new one",
        arguments: flips.indices, [1.0, 2])
    func perspective(index: Int, scale: Double) {
        let (effect, side) = Self.flips[index]
        for size in Self.sizes {
            let scene = TransitionScene(size: size, scale: scale)
            for progress in [-0.1, 0.1, 0.25, 0.4, 0.6, 0.75, 0.9, 1.1] {
                let isOld = progress < 0.5
                let page = TurnedPage(size: size, side: side, angle: (isOld ? progress : progress - 1) * .pi)
                let layers = effect.layers(at: progress, in: scene)
                for point in scene.samples(columns: 41, rows: 37) {
                    let exact = page.point(seenAtX: point.x, y: point.y)
                    let pages = layers.pages(atX: point.x, y: point.y)
                    guard let seen = pages.first else {
                        #expect(!isInside(exact, page, by: 1.5 / scale), "nothing at \(point) of \(progress)")
                        continue
                    }
                    #expect(pages.count == 1)
                    #expect(seen.content == (isOld ? .old : .new))
                    let place = page.place(ofX: seen.x, y: seen.y)
                    #expect(hypot(place.x - point.x, place.y - point.y) < 1.5 / scale, "at \(point) of \(progress)")
                }
            }
        }
    }

    /// Whether a point of the page is farther than `distance` from all of its edges on the screen.
    private func isInside(_ point: (x: Double, y: Double), _ page: TurnedPage, by distance: Double) -> Bool {
        let place = page.place(ofX: point.x, y: point.y)
        guard PointRect(x: 0, y: 0, size: page.size).hasPoint(x: point.x, y: point.y) else { return false }
        let edges = [(0, point.y), (page.size.width, point.y), (point.x, 0), (point.x, page.size.height)]
        return edges.allSatisfy { edge in
            let other = page.place(ofX: edge.0, y: edge.1)
            return hypot(other.x - place.x, other.y - place.y) > distance
        }
    }

    @Test("TRN-6 the named side comes towards the viewer, and looks larger", arguments: flips.indices)
    func nearSide(index: Int) throws {
        let (effect, side) = Self.flips[index]
        let scene = TransitionScene(size: PointSize(width: 320, height: 200))
        let strips = effect.layers(at: 0.25, in: scene).pictures
        let lengths = strips.map { side.axis.across($0.frame).length }
        let (first, last) = (try #require(lengths.first), try #require(lengths.last))
        #expect(side == .left || side == .top ? first > last : first < last)
        // On the new face, the near side becomes the far side, because the page continues its turn.
        let later = effect.layers(at: 0.75, in: scene).pictures.map { side.axis.across($0.frame).length }
        let (laterFirst, laterLast) = (try #require(later.first), try #require(later.last))
        #expect(side == .left || side == .top ? laterFirst < laterLast : laterFirst > laterLast)
    }

    @Test("no part of the page leaves the view, where it would be cut off", arguments: flips.indices)
    func withinView(index: Int) {
        let (effect, _) = Self.flips[index]
        let scene = TransitionScene(size: PointSize(width: 320, height: 200))
        for progress in stride(from: 0.01, to: 1, by: 0.01) {
            for strip in effect.layers(at: progress, in: scene).pictures {
                #expect(strip.frame.x >= 0 && strip.frame.maxX <= 320)
                #expect(strip.frame.y >= -0.01 && strip.frame.maxY <= 200.01)
            }
        }
    }

    @Test(
        "each strip begins at the end of the one before, at an edge of a device pixel", arguments: flips.indices,
        [1, 1.5, 2])
    func seams(index: Int, scale: Double) {
        let (effect, side) = Self.flips[index]
        let scene = TransitionScene(size: PointSize(width: 320, height: 200), scale: scale)
        for progress in EffectScenes.progresses where progress != 0 && progress != 1 {
            let strips = effect.layers(at: progress, in: scene).pictures
            #expect(strips.count <= 64)
            let edges = strips.flatMap { [side.axis.along($0.frame).start, side.axis.along($0.frame).end] }
            #expect(edges.allSatisfy { abs(($0 * scale).rounded() - $0 * scale) < 1e-6 })
            for (strip, next) in zip(strips, strips.dropFirst()) {
                #expect(abs(side.axis.along(strip.frame).end - side.axis.along(next.frame).start) < 1e-9)
                #expect(side.axis.along(strip.source).end <= side.axis.along(next.source).start + 1e-9)
            }
        }
    }

    @Test("strips are parts of the picture that stay the same from frame to frame", arguments: flips.indices)
    func sameParts(index: Int) {
        let scene = TransitionScene(size: PointSize(width: 320, height: 200))
        let parts = stride(from: 0.01, to: 1, by: 0.01).flatMap { progress in
            Self.flips[index].0.layers(at: progress, in: scene).pictures.map(\.source)
        }
        #expect(Set(parts).count == 64)
        // Whole pixels of the view are whole pixels of a picture that was decoded for it.
        #expect(parts.allSatisfy { $0.x == $0.x.rounded() && $0.y == $0.y.rounded() })
    }

    @Test("small views have strips of a few pixels, large ones as few as the error allows", arguments: flips.indices)
    func stripCount(index: Int) {
        let side = Self.flips[index].1
        for (width, height, scale, across, down) in [
            (320.0, 200.0, 1.0, 64, 64), (120, 90, 1, 60, 45), (120, 90, 2, 64, 64), (16, 12, 1, 8, 6),
            (1280, 800, 1, 80, 80), (1280, 800, 2, 96, 96), (1e6, 1e6, 4, 96, 96),
        ] {
            let scene = TransitionScene(size: PointSize(width: width, height: height), scale: scale)
            let flip = PerspectiveFlip(from: side, progress: 0.2, in: scene)
            let expected = side.axis == .horizontal ? across : down
            #expect(flip.stripCount(grid: PixelGrid(scale: scale)) == expected, "\(width)×\(height) at \(scale)")
        }
    }

    @Test("left and right mirror each other, and so do top and bottom; turned by a quarter, left is top")
    func symmetry() {
        // An even number of pixels, so that the centre does not lie between two of them and is not rounded to one side.
        let scene = TransitionScene(size: PointSize(width: 300, height: 172))
        let turned = TransitionScene(size: PointSize(width: 172, height: 300))
        for progress in [0.07, 0.25, 0.43, 0.61, 0.75, 0.96] {
            let left = TransitionEffect.flipFromLeft.layers(at: progress, in: scene)
            let right = TransitionEffect.flipFromRight.layers(at: progress, in: scene)
            expectSame(left.map { $0.mirrored(.horizontal, in: scene.size) }, right)
            let top = TransitionEffect.flipFromTop.layers(at: progress, in: scene)
            let bottom = TransitionEffect.flipFromBottom.layers(at: progress, in: scene)
            expectSame(top.map { $0.mirrored(.vertical, in: scene.size) }, bottom)
            expectSame(left.map(\.transposed), TransitionEffect.flipFromTop.layers(at: progress, in: turned))
        }
    }

    /// The same layers, in any order of strips that do not overlap.
    private func expectSame(
        _ layers: [TransitionLayer], _ others: [TransitionLayer], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(layers.count == others.count, sourceLocation: sourceLocation)
        let allFound = layers.allSatisfy { layer in others.contains { layer.isSame(as: $0) } }
        #expect(allFound, sourceLocation: sourceLocation)
    }

    @Test("the shade grows with the angle, and is dark where the page is far", arguments: flips.indices)
    func shade(index: Int) throws {
        let (effect, side) = Self.flips[index]
        // So large that every strip is visible even when the page is almost upright.
        let scene = TransitionScene(size: PointSize(width: 9600, height: 9600))
        var darkest: UInt8 = 0
        for progress in [0.01, 0.1, 0.2, 0.3, 0.4, 0.49] {
            let alphas = effect.layers(at: progress, in: scene).shades.flatMap { layer -> [UInt8] in
                guard case .shade(let from, let to, _) = layer.content else { return [] }
                return [from.alpha, to.alpha]
            }
            let isNearFirst = side == .left || side == .top
            #expect(alphas == (isNearFirst ? alphas.sorted() : alphas.sorted(by: >)))
            let now = try #require(alphas.max())
            #expect(now >= darkest && now <= 128)
            darkest = now
        }
        #expect(darkest > 100)
        #expect(try #require(effect.layers(at: 0.999, in: scene).shades.first).content.darkness < 3)
    }
}

extension TransitionLayer.Content {
    fileprivate var darkness: UInt8 {
        guard case .shade(let from, let to, _) = self else { return 0 }
        return max(from.alpha, to.alpha)
    }
}
