import Foundation
import Testing
import WebImageCore

@testable import WebImagePresentation

/// Flips against ray casting: from the eye through a point of the view, to the turned page.
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

        /// The visible place of a point of the page.
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
        PointSize(width: 16, height: 12), PointSize(width: 600, height: 14), PointSize(width: 1, height: 1),
    ]

    private func flip(_ index: Int, _ progress: Double, _ size: PointSize) throws -> (page: MovingPage, PerspectiveFlip)
    {
        let layers = Self.flips[index].0.layers(at: progress, in: TransitionScene(size: size))
        guard layers.count == 1, case .page(let page) = layers[0].content, case .flip(let flip) = page.shape else {
            throw CancellationError()
        }
        return (page, flip)
    }

    @Test(
        "TRN-6 S1-16 a flip is the exact perspective of a turning page: the old face, then the new one",
        arguments: flips.indices)
    func perspective(index: Int) throws {
        let side = Self.flips[index].1
        for size in Self.sizes {
            for progress in [-0.1, 0.1, 0.25, 0.4, 0.49, 0.6, 0.75, 0.9, 1.1] {
                let isOld = progress < 0.5
                let exact = TurnedPage(size: size, side: side, angle: (isOld ? progress : progress - 1) * .pi)
                let (page, flip) = try flip(index, progress, size)
                #expect(page.content == (isOld ? .old : .new) && page.background == nil)
                for (x, y) in [(0.0, 0.0), (0.3, 0.2), (0.5, 0.5), (0.9, 0.6), (1, 1)] {
                    let place = exact.place(ofX: x * size.width, y: y * size.height)
                    let point = flip.point(seenAtX: place.x, y: place.y)
                    #expect(hypot(point.x - x * size.width, point.y - y * size.height) < 1e-6, "\(progress)")
                }
            }
        }
    }

    @Test("TRN-6 the named side comes towards the viewer, and looks larger", arguments: flips.indices)
    func nearSide(index: Int) throws {
        let side = Self.flips[index].1
        let size = PointSize(width: 320, height: 200)
        func growth(_ progress: Double) throws -> Double {
            let flip = try flip(index, progress, size).1
            return flip.magnification(at: flip.reach) - flip.magnification(at: -flip.reach)
        }
        let isFirst = side == .left || side == .top
        #expect(try growth(0.25) * (isFirst ? -1 : 1) > 0.1)
        // On the new face, the near side becomes the far side, because the page continues its turn.
        #expect(try growth(0.75) * (isFirst ? 1 : -1) > 0.1)
    }

    @Test("no part of the page leaves the view, where it would be cut off", arguments: flips.indices)
    func withinView(index: Int) throws {
        for progress in stride(from: 0.01, to: 1, by: 0.01) {
            // A page that stands upright has no frame.
            guard let frame = try flip(index, progress, PointSize(width: 320, height: 200)).page.frame else { continue }
            #expect(frame.x >= -1e-9 && frame.maxX <= 320 + 1e-9 && frame.y >= -1e-9 && frame.maxY <= 200 + 1e-9)
        }
    }

    @Test("the light fades with the angle, and is dark where the page is far", arguments: flips.indices)
    func light(index: Int) throws {
        var darkest = 1.0
        for progress in [0.001, 0.1, 0.2, 0.3, 0.4, 0.49] {
            let flip = try flip(index, progress, PointSize(width: 320, height: 200)).1
            let (near, far) = (flip.sine < 0 ? -flip.reach : flip.reach, flip.sine < 0 ? flip.reach : -flip.reach)
            #expect(flip.light(at: near) > flip.light(at: far))
            #expect(flip.light(at: far) < darkest && flip.light(at: far) >= 0.5)
            darkest = flip.light(at: far)
            if progress == 0.001 { #expect(darkest > 0.99) }
        }
        #expect(darkest < 0.6)
    }
}

extension PerspectiveFlip {
    /// The point of the page that is visible at a place of the view.
    fileprivate func point(seenAtX x: Double, y: Double) -> (x: Double, y: Double) {
        let (center, middle) = (axis.along(bounds).middle, axis.across(bounds).middle)
        let (along, across) = axis == .horizontal ? (x, y) : (y, x)
        let position = position(seenAt: along - center)
        let other = middle + (across - middle) / magnification(at: position)
        return axis == .horizontal ? (center + position, other) : (other, center + position)
    }
}
