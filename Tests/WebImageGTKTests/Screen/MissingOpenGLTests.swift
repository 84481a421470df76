import CGtk4
import WebImage
import XCTest

@testable import WebImageGTK

/// A machine without OpenGL, which GTK detects: the app does not have to choose a renderer.
final class MissingOpenGLTests: GTKTestCase, @unchecked Sendable {
    private static let child = ChildTest(
        name: "WebImageGTKTests.MissingOpenGLTests/testInAProcessWithoutOpenGL")

    func testPicturesAndTransitionsAreSeenWithoutOpenGL() throws {
        try onMainThread { try requireDisplay() }
        // From GTK 4.16 on, GDK_DISABLE says it; that may draw by Vulkan, too.
        try Self.child.run(
            expecting: 1,
            environment: ["GSK_RENDERER": nil, "GDK_DEBUG": "gl-disable", "GDK_DISABLE": "gl,vulkan"])
    }

    func testInAProcessWithoutOpenGL() throws {
        guard Self.child.isHere else { return }
        try onMainThread {
            try requireDisplay()
            for effect in [TransitionEffect.crossDissolve, .flipFromLeft, .curlUp] {
                let scene = try ScreenScene(PixelSize(width: 120, height: 80), margin: 6, renderer: nil, self)
                defer { scene.stage.close() }
                XCTAssertTrue(ScreenRenderer.cairo.draws(scene.stage.window))
                scene.assertSeen(progress: 0, of: .crossDissolve, atLeast: 47)
                scene.begin(effect)
                for progress in [0.25, 0.5, 0.75, 1] {
                    scene.move(to: progress)
                    scene.assertSeen(progress: progress, of: effect, atLeast: 44)
                }
            }
        }
    }
}
