import CGtk4
import WebImage
import XCTest

@testable import WebImageGTK

/// Transitions on the screen: in a window, stopped midway, and read back from the X server.
final class ScreenTransitionTests: GTKTestCase, @unchecked Sendable {
    private static let size = PixelSize(width: 120, height: 80)
    /// The margin above and below the new picture in points; its proportions differ from the view's.
    private static let margin = 6

    /// TRN-6, TRN-7, S1-16
    func testEachIsSeenAsItIsMeantUnderCairo() throws {
        try onMainThread { try check(.cairo) { _ in 47 } }
    }

    /// TRN-6, TRN-7, S1-16: OpenGL does not antialias edges between pixels.
    func testEachIsSeenAsItIsMeantUnderOpenGL() throws {
        try onMainThread {
            try check(.openGL) { $0.hasPrefix("flip") || $0 == "zoom" || $0 == "blurToSharp" ? 31 : 44 }
        }
    }

    /// With four pixels per point, all of them are drawn.
    func testADenseScreenShowsAllOfItsPixels() throws {
        try onMainThread {
            try requireDisplay()
            try withScreenScale(2) {
                try check(.cairo, [.crossDissolve, .flipFromLeft, .flipFromTop, .curlUp, .zoom, .blurToSharp]) { _ in 47
                }
                try check(.openGL, [.crossDissolve, .flipFromLeft, .curlUp]) { $0.hasPrefix("flip") ? 31 : 44 }
            }
        }
    }

    @MainActor
    private func check(
        _ renderer: ScreenRenderer, _ effects: [TransitionEffect] = TransitionEffect.all,
        least: (_ effect: String) -> Double
    ) throws {
        try requireDisplay()
        for effect in effects {
            let scene = try ScreenScene(Self.size, margin: Self.margin, renderer: renderer, self)
            defer { scene.stage.close() }
            scene.assertSeen(progress: 0, of: .crossDissolve, atLeast: 47)
            scene.begin(effect)
            for progress in [0.25, 0.5, 0.75, 1] {
                scene.move(to: progress)
                scene.assertSeen(progress: progress, of: effect, atLeast: least(effect.name))
            }
        }
    }

    /// Pictures of proportions different from the view and from each other, with every content fit: a moving picture
    /// starts and ends where GTK lays it out.
    func testPicturesOfAllProportionsLieWhereGTKLaysThem() throws {
        try onMainThread {
            try requireDisplay()
            for renderer in ScreenRenderer.allCases {
                for fit in [ContentFit.contain, .cover, .fill, .scaleDown] { try check(fit, renderer) }
            }
        }
    }

    @MainActor
    private func check(_ fit: ContentFit, _ renderer: ScreenRenderer) throws {
        // A banner and a tower, each with one side shorter and one longer than the view's.
        let sizes = [(190, 58), (52, 131)]
        for effect in [TransitionEffect.crossDissolve, .flipFromTop, .flipFromRight, .curlDown, .zoom, .revealFromTop] {
            let scene = try ScreenScene(Self.size, fit: fit, renderer: renderer, self) { _ throws(WebImageError) in
                [
                    try SamplePicture.make(0, width: sizes[0].0, height: sizes[0].1),
                    try SamplePicture.make(1, width: sizes[1].0, height: sizes[1].1),
                ]
            }
            defer { scene.stage.close() }
            scene.assertSeen(progress: 0, of: .crossDissolve, atLeast: 30, "\(fit) by \(renderer)")
            scene.begin(effect)
            for progress in [0.3, 0.7, 1] {
                scene.move(to: progress)
                scene.assertSeen(progress: progress, of: effect, atLeast: 28, "\(fit) by \(renderer)")
            }
        }
    }

    /// The window is resized during a transition: it continues at the new size.
    func testATransitionFollowsTheSizeOfItsWindow() throws {
        try onMainThread {
            try requireDisplay()
            for renderer in ScreenRenderer.allCases {
                for effect in [TransitionEffect.crossDissolve, .flipFromLeft, .curlUp] {
                    let scene = try ScreenScene(Self.size, margin: Self.margin, renderer: renderer, self)
                    defer { scene.stage.close() }
                    scene.begin(effect)
                    scene.move(to: 0.3)
                    for (size, progress) in [((180, 90), 0.4), ((96, 110), 0.6), ((150, 100), 0.8)] {
                        scene.stage.resize(to: PixelSize(width: size.0, height: size.1))
                        scene.move(to: progress)
                        XCTAssertTrue(scene.isAnimating)
                        scene.assertSeen(progress: progress, of: effect, atLeast: 30, "\(size) by \(renderer)")
                    }
                    scene.move(to: 1)
                    scene.assertSeen(progress: 1, of: effect, atLeast: 30, "by \(renderer)")
                }
            }
        }
    }

    /// A minimised window is invisible: the transition ends, and draws no more frames.
    func testATransitionEndsInAWindowThatIsMinimized() throws {
        try onMainThread {
            try requireDisplay()
            for renderer in ScreenRenderer.allCases {
                let scene = try ScreenScene(Self.size, margin: Self.margin, renderer: renderer, self)
                defer { scene.stage.close() }
                scene.begin(.flipFromLeft)
                scene.move(to: 0.3)
                try scene.stage.setMinimized(true)
                let ticks = scene.ticks
                iterate(until: { !scene.isAnimating }, "the end of the transition")
                XCTAssertLessThanOrEqual(scene.ticks, ticks + 2, "frames that nobody sees")
                // The next picture shows at once.
                scene.begin(.curlUp)
                XCTAssertFalse(scene.isAnimating)
                try scene.stage.setMinimized(false)
                scene.assertSeen(progress: 1, of: .curlUp, atLeast: 47, "by \(renderer)")
            }
        }
    }
}
