import CGtk4
import WebImage
import XCTest

@testable import WebImageGTK

/// Transitions as people see them: in a window on the screen, stopped on their way, and read back from the X server.
final class ScreenTransitionTests: GTKTestCase, @unchecked Sendable {
    private static let size = PixelSize(width: 120, height: 80)
    /// Points above and below the new picture, which has other proportions than the view.
    private static let margin = 6

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

    /// Where a point is four pixels, all of them are seen.
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

    /// Pictures of other proportions than the view and than each other, in every way to lay them into it: what moves is
    /// where the picture lies before and afterwards.
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
        // A banner and a tower, both with a side that is shorter than the view's and one that is longer.
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

    /// Somebody pulls at the window in the middle of a transition: it goes on in the new size.
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

    /// Nobody sees a window that is minimised: the transition ends, and no frame is drawn for it any more.
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
                // The next picture is there at once.
                scene.begin(.curlUp)
                XCTAssertFalse(scene.isAnimating)
                try scene.stage.setMinimized(false)
                scene.assertSeen(progress: 1, of: .curlUp, atLeast: 47, "by \(renderer)")
            }
        }
    }
}
