import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// A fade that another picture, or another load, interrupts.
final class InterruptedFadeTests: TransitionTestCase, @unchecked Sendable {
    private let half = Colour(red: 128, green: 0, blue: 128)

    /// S0-20: the end of an interrupted fade does not affect the newer one.
    func testTheEndOfAnInterruptedFadeLeavesTheNewerOneAlone() throws {
        try onScreen { stage, test in
            stage.view.image = try Colour.red.image()
            fadeInPlace(stage, test, "a", .blue)
            advance(stage, by: 425_000)
            fadeInPlace(stage, test, "b", .green)
            // The time of the first one is over, that of the second is not.
            advance(stage, by: 500_000)
            XCTAssertTrue(stage.display.isAnimating)
            let seen = stage.colour
            XCTAssertGreaterThan(seen.green, 128)
            XCTAssertGreaterThan(seen.red, 10)
            stage.time += 350_000
            iterate(until: { !stage.display.isAnimating }, "the end of the second fade")
            assertEqual(stage.colour, .green)
            assertNothingIsLeft(stage)
        }
    }

    /// S0-19, C9: a picture that arrives during a fade starts from the current frame.
    func testAFadeThatInterruptsAFadeStartsFromWhatIsThere() throws {
        try onScreen { stage, test in
            stage.view.image = try Colour.red.image()
            fadeInPlace(stage, test, "a", .blue)
            advance(stage, by: 425_000)
            assertEqual(stage.colour, half)

            fadeInPlace(stage, test, "b", .green)
            assertEqual(stage.colour, half)
            advance(stage, by: 425_000)
            assertEqual(stage.colour, Colour(red: 64, green: 128, blue: 64), accuracy: 3)
            stage.time += 425_000
            iterate(until: { !stage.display.isAnimating }, "the end of the second fade")
            assertEqual(stage.colour, .green)
            assertNothingIsLeft(stage)
        }
    }

    /// Endless interruptions must not draw ever more layers.
    func testManyInterruptionsStayCheap() throws {
        try onScreen { stage, test in
            stage.view.image = try Colour.red.image()
            for number in 0..<20 {
                fadeInPlace(stage, test, "\(number)", number.isMultiple(of: 2) ? .blue : .green)
                advance(stage, by: 100_000)
            }
            let snapshot: OpaquePointer = gtk_snapshot_new()
            let paintable = try XCTUnwrap(gtk_picture_get_paintable(OpaquePointer(stage.widgets[0])))
            gdk_paintable_snapshot(paintable, snapshot, 8, 8)
            let node = gtk_snapshot_free_to_node(snapshot)
            let bytes = gsk_render_node_serialize(node)
            defer {
                g_bytes_unref(bytes)
                gsk_render_node_unref(node)
            }
            var size: gsize = 0
            let text = g_bytes_get_data(bytes, &size).map {
                String(decoding: UnsafeRawBufferPointer(start: $0, count: Int(size)), as: UTF8.self)
            }
            let layers = try XCTUnwrap(text).components(of: "texture {")
            XCTAssertLessThanOrEqual(layers, 6)
        }
    }

    /// VIEW-3: a load that begins during a fade shows its placeholder at once.
    func testBindingDuringTheFadeEndsIt() throws {
        try onScreen { stage, test in
            startFade(stage, test, "a", .blue)
            advance(stage, by: 425_000)
            stage.view.transitionFade(test.url("b"), placeholder: try Colour.green.image(), test)
            assertEqual(stage.colour, .green)
            assertNothingIsLeft(stage)
        }
    }
}

extension String {
    fileprivate func components(of separator: String) -> Int { ranges(of: separator).count }
}
