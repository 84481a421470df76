import CGtk4
import WebImage
import XCTest

@testable import WebImageGTK

/// An ended transition holds nothing, under both renderers and with every ending.
final class TransitionMemoryTests: GTKTestCase, @unchecked Sendable {
    /// GTK's OpenGL renderer keeps smaller textures for a second after their last use.
    private static let side = 130

    private enum Ending: CaseIterable { case atItsTime, interrupted, replaced, hidden, moved }

    /// Effects that draw in different ways; the others end like one of these.
    private static let thorough = ["crossDissolve", "flipFromLeft", "curlUp", "blurToSharp"]

    /// An effect of many small parts, which GTK's OpenGL renderer keeps longer than large ones.
    private static let mosaic = TransitionEffect("mosaic") { progress, scene in
        (0..<64).map { index in
            let tile = PointRect(x: Double(index % 8 * 8), y: Double(index / 8 * 8), width: 8, height: 8)
            return TransitionLayer(Double(index) < progress * 64 ? .new : .old, source: tile)
        }
    }

    func testNothingIsHeldUnderCairo() throws {
        try onMainThread { try check(.cairo) }
    }

    func testNothingIsHeldUnderOpenGL() throws {
        try onMainThread { try check(.openGL) }
    }

    @MainActor
    private func check(_ renderer: ScreenRenderer) throws {
        let scene = try renderer.draws { try DisplayScene(self) }
        defer { scene.stage.close() }
        guard renderer.draws(scene.stage.window) else { throw XCTSkip("this display draws nothing by \(renderer)") }
        let (bitmaps, paintables) = (LiveBitmaps(), LiveObjects())
        for effect in TransitionEffect.all + [Self.mosaic] {
            for ending in Self.thorough.contains(effect.name) ? Ending.allCases : [.atItsTime] {
                try inScope {
                    for picture in 0...1 {
                        let image = Image(bitmap: try SamplePicture.make(picture, width: Self.side, height: Self.side))
                        bitmaps.add(image.bitmap)
                        if picture == 0 { scene.display.show(image) } else { scene.start(image, effect, self) }
                    }
                    watch(scene, paintables)
                    // One in the middle and one near the end, because effects begin and end without parts.
                    for _ in 0..<2 { scene.advance(self, by: 300_000) }
                    try end(scene, ending, bitmaps, paintables)
                }
                scene.advanceFrames(self)
                XCTAssertEqual(paintables.count, 0, "\(effect.name), \(ending)")
                XCTAssertEqual(bitmaps.count, 1, "\(effect.name), \(ending)")
                scene.display.show(nil)
                scene.advanceFrames(self)
                XCTAssertEqual(bitmaps.count, 0, "\(effect.name), \(ending)")
            }
        }
        XCTAssertGreaterThanOrEqual(paintables.watched, TransitionEffect.all.count + 4 * Self.thorough.count)
    }

    @MainActor
    private func end(
        _ scene: DisplayScene, _ ending: Ending, _ bitmaps: LiveBitmaps, _ paintables: LiveObjects
    ) throws {
        switch ending {
        case .atItsTime: scene.finish(self)
        case .interrupted:
            let image = Image(bitmap: try SamplePicture.make(2, width: Self.side, height: Self.side))
            bitmaps.add(image.bitmap)
            scene.start(image, .curlUp, self)
            watch(scene, paintables)
            scene.advance(self, by: 400_000)
            scene.finish(self)
        case .replaced:
            let image = Image(bitmap: try SamplePicture.make(2, width: Self.side, height: Self.side))
            bitmaps.add(image.bitmap)
            scene.display.show(image)
        case .hidden:
            gtk_widget_set_visible(scene.widget, 0)
            gtk_widget_set_visible(scene.widget, 1)
            iterate(until: { scene.stage.isOnScreen }, "the widget")
        case .moved:
            g_object_ref(UnsafeMutableRawPointer(scene.widget))
            scene.stage.remove(scene.widget)
            scene.stage.putBack(scene.widget)
            g_object_unref(UnsafeMutableRawPointer(scene.widget))
            iterate(until: { scene.stage.isOnScreen }, "the widget")
        }
    }

    /// The paintable holds everything that a transition is made of: pictures, their parts, their surfaces.
    @MainActor
    private func watch(_ scene: DisplayScene, _ paintables: LiveObjects) {
        XCTAssertTrue(scene.display.isAnimating)
        guard let paintable = gtk_picture_get_paintable(OpaquePointer(scene.widget)) else {
            return XCTFail("no paintable")
        }
        paintables.watch(UnsafeMutableRawPointer(paintable))
    }

    /// A scope for the temporary objects in it.
    private func inScope(_ body: () throws -> Void) rethrows { try body() }
}
