import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Transitions as people see them: in a window on the screen, stopped on their way, and read back from the X server.
final class ScreenTransitionTests: GTKTestCase, @unchecked Sendable {
    private static let size = PixelSize(width: 120, height: 80)
    /// Points above and below the new picture, which has other proportions than the view.
    private static let margin = 6.0

    /// TRN-6, TRN-7, S1-16
    func testEachIsSeenAsItIsMeantUnderCairo() throws {
        try onMainThread { try check(.cairo) { _ in 47 } }
    }

    /// TRN-6, TRN-7, S1-16: OpenGL leaves edges that lie between pixels hard.
    func testEachIsSeenAsItIsMeantUnderOpenGL() throws {
        try onMainThread {
            try check(.openGL) { $0.hasPrefix("flip") || $0 == "zoom" || $0 == "blurToSharp" ? 31 : 44 }
        }
    }

    @MainActor
    private func check(_ renderer: ScreenRenderer, least: (_ effect: String) -> Double) throws {
        try requireDisplay()
        for effect in TransitionEffect.all {
            let scene = try Scene(Self.size, margin: Self.margin, renderer, self)
            defer { scene.stage.close() }
            scene.assertSeen(progress: 0, of: .crossDissolve, atLeast: 47)
            scene.begin(effect)
            for progress in [0.25, 0.5, 0.75, 1] {
                scene.move(to: progress, self)
                scene.assertSeen(progress: progress, of: effect, atLeast: least(effect.name))
            }
        }
    }
}

/// A window with one picture, and what it should look like.
@MainActor
private struct Scene {
    let stage: ScreenStage
    private let clock = Clock()
    private let painted: PaintedScene
    private let view: PictureView
    private let manager = TestStage()

    private final class Clock {
        var time: Int64 = 1_000_000
        var ticks = 0
    }

    init(_ size: PixelSize, margin: Double, _ renderer: ScreenRenderer, _ test: GTKTestCase) throws {
        let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
        view = PictureView(picture)
        stage = try ScreenStage(size, picture, renderer, test)
        painted = try PaintedScene(
            PointSize(width: Double(size.width), height: Double(size.height)), scale: Double(stage.scale), alpha: 1,
            margin: margin)
        view.display?.time = { [clock] _ in
            clock.ticks += 1
            return clock.time
        }
        manager.cache.storeInMemory(Image(bitmap: painted.old), for: CacheKey(manager.url("old").absoluteString))
        manager.cache.storeInMemory(Image(bitmap: painted.new), for: CacheKey(manager.url("new").absoluteString))
        view.setImage(with: manager.url("old"), context: manager.context)
    }

    /// Loads the new picture, which comes by `effect`, evenly and in one second.
    func begin(_ effect: TransitionEffect) {
        var transition = WidgetTransition.custom(effect, duration: 1)
        transition.timingFunction = .linear
        view.imageTransition = transition
        view.setImage(
            with: manager.url("new"), options: [.forceTransition, .delayPlaceholder], context: manager.context)
    }

    /// Lets two frames pass before and after the clock is moved, of which the second begins after that for certain.
    func move(to progress: Double, _ test: GTKTestCase) {
        drawFrames(test)
        clock.time = 1_000_000 + Int64(progress * 1_000_000)
        drawFrames(test)
    }

    func assertSeen(
        progress: Double, of effect: TransitionEffect, atLeast least: Double, line: UInt = #line
    ) {
        let layers = effect.layers(at: progress, in: painted.scene)
        let expected = painted.expected(layers).over(ScreenStage.background)
        stage.assertSeen(expected, atLeast: least, "\(effect.name) at \(progress)", line: line)
    }

    private func drawFrames(_ test: GTKTestCase) {
        let end = clock.ticks + 2
        test.iterate(until: { clock.ticks >= end || view.display?.isAnimating != true }, "two frames")
    }
}

extension Pixels {
    /// As it looks in front of an opaque colour.
    fileprivate func over(_ background: Colour) -> Pixels {
        var result = self
        let back = SIMD4(background.channels.map { Float($0) })
        for y in 0..<size.height {
            for x in 0..<size.width { result[x, y] += back * (1 - self[x, y][3] / 255) }
        }
        return result
    }
}
