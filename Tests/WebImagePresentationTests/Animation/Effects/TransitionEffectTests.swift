import Testing
import WebImageCore
import WebImagePresentation

@Suite("Effects of transitions")
struct TransitionEffectTests {
    @Test(
        "TRN-6 TRN-7 an effect begins with exactly the content of the view, and ends with exactly the new picture",
        arguments: TransitionEffect.all, EffectScenes.all)
    func ends(effect: TransitionEffect, view: EffectScenes.Case) {
        let scene = view.scene
        for (progress, content, frame) in [
            (0.0, TransitionLayer.Content.old, scene.oldFrame), (1, .new, scene.newFrame),
        ] {
            let layers = effect.layers(at: progress, in: scene)
            #expect(layers == (frame == nil ? [] : [TransitionLayer(content, source: scene.bounds)]))
        }
    }

    @Test(
        "at all times layers are few, have a size, and show parts of the view",
        arguments: TransitionEffect.all, EffectScenes.all)
    func sanity(effect: TransitionEffect, view: EffectScenes.Case) {
        for progress in EffectScenes.progresses {
            let layers = effect.layers(at: progress, in: view.scene)
            #expect(layers.count <= 200)
            let slack = 1e-6
            let bounds = view.scene.bounds
            for layer in layers {
                let source = layer.source
                #expect((0...1).contains(layer.opacity))
                #expect(!layer.frame.size.isEmpty && !source.size.isEmpty)
                #expect(
                    layer.frame.x.isFinite && layer.frame.maxX.isFinite && layer.frame.y.isFinite
                        && layer.frame.maxY.isFinite)
                #expect(source.x >= -slack && source.maxX <= bounds.maxX + slack)
                #expect(source.y >= -slack && source.maxY <= bounds.maxY + slack)
            }
        }
    }

    @Test(
        "missing content is neither drawn nor shaded",
        arguments: TransitionEffect.all, EffectScenes.all)
    func missing(effect: TransitionEffect, view: EffectScenes.Case) {
        for progress in EffectScenes.progresses {
            let layers = effect.layers(at: progress, in: view.scene)
            if view.scene.oldFrame == nil { #expect(!layers.contains { $0.content == .old }) }
            if view.scene.newFrame == nil { #expect(!layers.contains { [.new, .blurredNew].contains($0.content) }) }
            if view.scene.oldFrame == nil, view.scene.newFrame == nil { #expect(layers.shades.isEmpty) }
        }
    }

    @Test("a view without a size shows nothing", arguments: TransitionEffect.all)
    func noSize(effect: TransitionEffect) {
        let sizes = [(0.0, 0.0), (100, 0), (0, 100), (-5, 10), (.nan, 10), (.infinity, 10)]
        for (width, height) in sizes {
            let scene = TransitionScene(size: PointSize(width: width, height: height))
            for progress in EffectScenes.progresses {
                #expect(effect.layers(at: progress, in: scene).isEmpty)
            }
        }
    }

    @Test("a progress or a scale of NaN does not hide the picture", arguments: TransitionEffect.all)
    func noNumber(effect: TransitionEffect) {
        var scene = TransitionScene(size: PointSize(width: 100, height: 80))
        #expect(effect.layers(at: .nan, in: scene) == [TransitionLayer(.new, source: scene.bounds)])
        let expected = effect.layers(at: 0.3, in: scene)
        for scale in [0, -1, Double.nan, .infinity] {
            scene.scale = scale
            #expect(effect.layers(at: 0.3, in: scene) == expected)
        }
    }

    @Test(
        "S1-13 no part of the view is empty or shows two pages, so that nothing shines through",
        arguments: TransitionEffect.filling, EffectScenes.all)
    func coverage(effect: TransitionEffect, view: EffectScenes.Case) {
        // Without frames: only the page, the view as a whole, matters.
        let scene = TransitionScene(
            size: view.scene.size, scale: view.scene.scale, isOldOpaque: view.scene.isOldOpaque,
            isNewOpaque: view.scene.isNewOpaque)
        for progress in EffectScenes.progresses where (0...1).contains(progress) {
            let layers = effect.layers(at: progress, in: scene)
            for point in scene.samples() {
                let pages = layers.pages(atX: point.x, y: point.y)
                #expect(pages.count == 1, "at \(point) of \(progress)")
            }
        }
    }

    @Test("S1-16 pages of translucent pictures never lie over each other", arguments: TransitionEffect.all)
    func translucent(effect: TransitionEffect) {
        let scene = TransitionScene(
            size: PointSize(width: 200, height: 160), scale: 2, isOldOpaque: false, isNewOpaque: false)
        for progress in EffectScenes.progresses {
            let layers = effect.layers(at: progress, in: scene)
            #expect(layers.shades.isEmpty, "a shade would darken what shines through")
            for point in scene.samples() {
                #expect(layers.pages(atX: point.x, y: point.y).count <= 1, "at \(point) of \(progress)")
            }
        }
    }

    @Test("shades lie only on pictures, not beside them", arguments: TransitionEffect.all)
    func shadesOfLetterboxes(effect: TransitionEffect) throws {
        let view = try #require(EffectScenes.all.first { $0.testDescription == "letterboxed" })
        for progress in stride(from: 0.02, to: 1, by: 0.07) {
            let layers = effect.layers(at: progress, in: view.scene)
            for shade in layers.shades {
                for (x, y) in [(0.01, 0.01), (0.99, 0.01), (0.5, 0.5), (0.01, 0.99), (0.99, 0.99)] {
                    let (x, y) = (
                        shade.frame.x + x * shade.frame.size.width, shade.frame.y + y * shade.frame.size.height
                    )
                    // The pictures' edges are those of their strips, within a pixel.
                    guard view.scene.bounds.hasPoint(x: x, y: y) else { continue }
                    let near = [(0.0, 0.0), (1, 0), (-1, 0), (0, 1), (0, -1)].contains { step in
                        !layers.pictures(atX: x + step.0, y: y + step.1, in: view.scene).isEmpty
                    }
                    #expect(near, "at \((x, y)) of \(progress)")
                }
            }
        }
    }

    @Test("the same progress gives the same layers, and names differ")
    func purity() {
        let scene = TransitionScene(size: PointSize(width: 200, height: 160))
        for effect in TransitionEffect.all {
            #expect(effect.layers(at: 0.37, in: scene) == effect.layers(at: 0.37, in: scene))
        }
        #expect(Set(TransitionEffect.all.map(\.name)).count == TransitionEffect.all.count)
    }

    @Test("an overshooting spring gives layers for every frame", arguments: TransitionEffect.all)
    func spring(effect: TransitionEffect) {
        let scene = TransitionScene(size: PointSize(width: 200, height: 160))
        let timing = TimingFunction.spring(dampingRatio: 0.2, initialVelocity: -30)
        let progresses = (0...60).map { timing.value(at: Double($0) / 60) }
        #expect(progresses.contains { $0 > 1.1 } && progresses.contains { $0 < 0 })
        for progress in progresses { #expect(!effect.layers(at: progress, in: scene).isEmpty) }
    }
}
