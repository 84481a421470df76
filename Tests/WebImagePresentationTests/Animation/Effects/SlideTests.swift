import Testing
import WebImageCore

@testable import WebImagePresentation

@Suite("Effects: push, reveal, zoom, fades")
struct SlideTests {
    private let scene = TransitionScene(size: PointSize(width: 200, height: 160))

    private func frame(of content: TransitionLayer.Content, _ layers: [TransitionLayer]) throws -> PointRect {
        try #require(layers.first { $0.content == content }).frame
    }

    @Test(
        "B22 S1-13 a push brings the new picture in from the named side, and both move together",
        arguments: [
            (TransitionEffect.pushFromLeft, -150.0, 0.0), (.pushFromRight, 150, 0), (.pushFromTop, 0, -120),
            (.pushFromBottom, 0, 120),
        ])
    func push(effect: TransitionEffect, x: Double, y: Double) throws {
        let layers = effect.layers(at: 0.25, in: scene)
        #expect(layers.count == 2)
        let new = try frame(of: .new, layers)
        let old = try frame(of: .old, layers)
        #expect(new.x == x && new.y == y)
        #expect(old.x == (x == 0 ? 0 : x + (x < 0 ? 200 : -200)) && old.y == (y == 0 ? 0 : y + (y < 0 ? 160 : -160)))
        #expect(new.size == scene.size && old.size == scene.size)
    }

    @Test("a push that overshoots comes back, like a spring")
    func pushOvershoots() throws {
        let layers = TransitionEffect.pushFromLeft.layers(at: 1.1, in: scene)
        #expect(try frame(of: .new, layers).x == 20)
    }

    @Test(
        "B22 S1-13 S1-16 in a reveal the former picture slides away, and uncovers the new one, which does not move",
        arguments: [
            (TransitionEffect.revealFromTop, 40.0, PointRect(x: 0, y: 0, width: 200, height: 40)),
            (.revealFromBottom, -40, PointRect(x: 0, y: 120, width: 200, height: 40)),
        ])
    func reveal(effect: TransitionEffect, y: Double, uncovered: PointRect) throws {
        let layers = effect.layers(at: 0.25, in: scene)
        #expect(try frame(of: .old, layers) == PointRect(x: 0, y: y, size: scene.size))
        #expect(layers.filter { $0.content == .new } == [TransitionLayer(.new, source: uncovered)])
    }

    @Test("a reveal that overshoots has nothing more to uncover")
    func revealOvershoots() {
        for effect in [TransitionEffect.revealFromTop, .revealFromBottom] {
            #expect(effect.layers(at: 1.2, in: scene).pictures(atX: 100, y: 80, in: scene).map(\.content) == [.new])
            #expect(effect.layers(at: -0.2, in: scene).pictures(atX: 100, y: 80, in: scene).map(\.content) == [.old])
        }
    }

    @Test("slides move in one direction, by whole device pixels")
    func monotone() throws {
        var scene = scene
        scene.scale = 2
        for effect in TransitionEffect.filling where effect.name.hasPrefix("push") || effect.name.hasPrefix("reveal") {
            var way = 0.0
            for progress in stride(from: 0.001, to: 1, by: 0.001) {
                let old = try frame(of: .old, effect.layers(at: progress, in: scene))
                let moved = max(abs(old.x), abs(old.y))
                #expect(moved >= way && (moved * 2).rounded() == moved * 2)
                way = moved
            }
            #expect(way > 159)
        }
    }

    @Test("the new picture grows from the middle of the view, in the view's proportions")
    func zoom() throws {
        var width = 0.0
        for progress in stride(from: 0.01, through: 1.3, by: 0.01) {
            guard progress != 1 else { continue }
            let layers = TransitionEffect.zoom.layers(at: progress, in: scene)
            guard case .page(let page) = try #require(layers.first).content, case .zoom(let zoom) = page.shape else {
                Issue.record("no page at \(progress)")
                return
            }
            let new = zoom.frame
            #expect(layers.count == 1 && page.content == .new && page.background == .old)
            #expect(new.size.width >= width)
            #expect(abs(new.size.width - 200 * progress) < 1e-9 && abs(new.size.height - 160 * progress) < 1e-9)
            #expect(abs(new.x + new.maxX - 200) < 1e-9 && abs(new.y + new.maxY - 160) < 1e-9)
            width = new.size.width
        }
        #expect(TransitionEffect.zoom.layers(at: -0.5, in: scene) == [TransitionLayer(.old, source: scene.bounds)])
    }

    @Test("S1-16 a fade is one cross-dissolve of all of the view, and overshoots to its ends only")
    func fade() {
        for (progress, expected) in [(-0.5, 0.0), (0.3, 0.3), (1.5, 1)] {
            #expect(
                TransitionEffect.crossDissolve.layers(at: progress, in: scene)
                    == [TransitionLayer(.crossDissolve(expected), source: scene.bounds)])
        }
    }

    /// The shares of the contents in the light at a point, with the layers composited.
    private func shares(_ layers: [TransitionLayer], atX x: Double, y: Double, in scene: TransitionScene)
        -> (old: Double, blurred: Double, new: Double)
    {
        var shares = (old: 0.0, blurred: 0.0, new: 0.0)
        for seen in layers.pictures(atX: x, y: y, in: scene) {
            let rest = 1 - seen.opacity
            shares = (shares.old * rest, shares.blurred * rest, shares.new * rest)
            switch seen.content {
            case .old: shares.old += seen.opacity
            case .blurredNew: shares.blurred += seen.opacity
            default: shares.new += seen.opacity
            }
        }
        return shares
    }

    @Test("blur-to-sharp leads from the former picture to the blurred one and then to the sharp one, without a jump")
    func blurToSharp() {
        var last = (old: 1.0, blurred: 0.0, new: 0.0)
        for progress in stride(from: 0.0, through: 1, by: 0.005) {
            let layers = TransitionEffect.blurToSharp.layers(at: progress, in: scene)
            let now = shares(layers, atX: 33, y: 44, in: scene)
            #expect(abs(now.old + now.blurred + now.new - 1) < 1e-9)
            #expect(now.old <= last.old + 1e-9 && now.new >= last.new - 1e-9)
            #expect(max(abs(now.old - last.old), abs(now.blurred - last.blurred), abs(now.new - last.new)) < 0.02)
            last = now
        }
        let middle = shares(TransitionEffect.blurToSharp.layers(at: 0.4, in: scene), atX: 33, y: 44, in: scene)
        #expect(middle.blurred == 1)
        #expect(last.new == 1)
    }

    @Test("parts of the former picture that a blurred one leaves uncovered fade by themselves")
    func blurToSharpLetterboxed() throws {
        let view = try #require(EffectScenes.all.first { $0.testDescription == "letterboxed" })
        var last = 1.0
        for progress in stride(from: 0.0, through: 1, by: 0.01) {
            let layers = TransitionEffect.blurToSharp.layers(at: progress, in: view.scene)
            // Above the new picture, which begins at 33.3.
            let old = shares(layers, atX: 100, y: 10, in: view.scene).old
            #expect(last - old < 0.03 && old <= last)
            last = old
        }
        #expect(last == 0)
    }

    @Test("a translucent new picture cross-dissolves instead of being blurred, as layers would shine through")
    func blurToSharpTranslucent() {
        let scene = TransitionScene(size: scene.size, isOldOpaque: true, isNewOpaque: false)
        #expect(
            TransitionEffect.blurToSharp.layers(at: 0.3, in: scene)
                == TransitionEffect.crossDissolve.layers(at: 0.3, in: scene))
    }
}
