import CGtk4
import Foundation
import WebImage
import XCTest

@testable import WebImageGTK

/// A machine without OpenGL, which GTK detects: the app does not have to choose a renderer.
final class MissingOpenGLTests: GTKTestCase, @unchecked Sendable {
    private static let mark = "WEBIMAGE_TEST_WITHOUT_OPENGL"
    private static let inner = "WebImageGTKTests.MissingOpenGLTests/testInAProcessWithoutOpenGL"

    /// GTK decides about OpenGL once per process, so this needs another one.
    func testPicturesAndTransitionsAreSeenWithoutOpenGL() throws {
        try onMainThread { try requireDisplay() }
        let child = Process()
        child.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        child.arguments = [Self.inner]
        var environment = ProcessInfo.processInfo.environment
        environment["GSK_RENDERER"] = nil
        environment["GDK_DEBUG"] = "gl-disable"
        environment[Self.mark] = "1"
        child.environment = environment
        let output = Pipe()
        child.standardOutput = output
        child.standardError = output
        try child.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        child.waitUntilExit()
        XCTAssertEqual(child.terminationStatus, 0, text)
        XCTAssertTrue(text.contains("Executed 1 test, with 0 failures"), text)
        XCTAssertTrue(text.contains(Self.mark), text)
    }

    func testInAProcessWithoutOpenGL() throws {
        // This process has OpenGL: the other test starts a process for this one, and sets the variable.
        guard ProcessInfo.processInfo.environment[Self.mark] != nil else { return }
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
        print(Self.mark)
    }
}
