import CGtk4
import WebImage
import XCTest

@testable import WebImageGTK

/// The fade's pixels, drawn without a display.
final class TransitionContentTests: GTKTestCase, @unchecked Sendable {
    private static let steps: [Double] = [0, 0.25, 0.5, 0.75, 1]

    @MainActor
    private func drawn(_ fade: TransitionContent, at progress: Double) -> Colour {
        fade.progress = progress
        return Rendering(PaintableHandle(fade), width: 8, height: 8).colour(x: 4, y: 4)
    }

    private func mix(_ old: Colour, _ new: Colour, _ progress: Double) -> Colour {
        let channels = zip(old.channels, new.channels).map { old, new in
            UInt8((Double(old) * (1 - progress) + Double(new) * progress).rounded())
        }
        return Colour(red: channels[0], green: channels[1], blue: channels[2], alpha: channels[3])
    }

    /// S0-18, S0-25: from old content to new picture; at the beginning only the old one, at the end only the new one.
    func testOpaquePicturesMix() throws {
        try onMainThread {
            initializeGTK()
            let old = ViewContent(StillContent(try Colour.red.image()))
            let fade = TransitionContent(
                .crossDissolve, from: old, to: ViewContent(StillContent(try Colour.blue.image())))
            for step in Self.steps { assertEqual(drawn(fade, at: step), mix(.red, .blue, step)) }
        }
    }

    /// S0-27: faint at first and then clear, without blur: an edge is as sharp in the middle of the fade as at its end.
    func testAPictureComesFromFaintToClearAndIsSharpAllTheTime() throws {
        try onMainThread {
            initializeGTK()
            let old = ViewContent(StillContent(try Colour.red.image()))
            let columns = [Colour.blue, .blue, .blue, .blue, .green, .green, .green, .green]
            let pixels = (0..<8).flatMap { _ in columns.flatMap(\.channels) }
            let picture = Image(bitmap: try Bitmap(size: PixelSize(width: 8, height: 8), pixels: pixels))
            let fade = TransitionContent(.crossDissolve, from: old, to: ViewContent(StillContent(picture)))
            for step in Self.steps {
                fade.progress = step
                let rendering = Rendering(PaintableHandle(fade), width: 8, height: 8)
                assertEqual(rendering.colour(x: 3, y: 4), mix(.red, .blue, step))
                assertEqual(rendering.colour(x: 4, y: 4), mix(.red, .green, step))
            }
        }
    }

    func testTheOldContentVanishesUnderATranslucentPicture() throws {
        try onMainThread {
            initializeGTK()
            let translucent = Colour(red: 0, green: 0, blue: 128, alpha: 128)
            let old = ViewContent(StillContent(try Colour.red.image()))
            let fade = TransitionContent(
                .crossDissolve, from: old, to: ViewContent(StillContent(try translucent.image())))
            for step in Self.steps { assertEqual(drawn(fade, at: step), mix(.red, translucent, step)) }
        }
    }

    func testWithoutOldContentThePictureAppearsFromNothing() throws {
        try onMainThread {
            initializeGTK()
            let fade = TransitionContent(
                .crossDissolve, from: nil, to: ViewContent(StillContent(try Colour.green.image())))
            for step in Self.steps { assertEqual(drawn(fade, at: step), mix(.clear, .green, step)) }
        }
    }

    func testProgressBeyondTheEndsCountsAsTheEnds() throws {
        try onMainThread {
            initializeGTK()
            let old = ViewContent(StillContent(try Colour.red.image()))
            let fade = TransitionContent(
                .crossDissolve, from: old, to: ViewContent(StillContent(try Colour.blue.image())))
            assertEqual(drawn(fade, at: -1), .red)
            assertEqual(drawn(fade, at: 2), .blue)
        }
    }

    /// A wide old picture in a square view, contained: a quarter of the view above and below it is empty. A square new
    /// picture covers the whole view; the old one must not be stretched to it.
    func testTheOldPictureStaysWhereItWas() throws {
        try onMainThread {
            initializeGTK()
            let old = ViewContent(StillContent(try Colour.red.image(width: 16, height: 8)))
            let viewport = Viewport(size: PointSize(width: 8, height: 8), fit: .contain)
            let fade = TransitionContent(
                .crossDissolve, from: old, to: ViewContent(StillContent(try Colour.blue.image()))
            ) { viewport }
            let start = Rendering(PaintableHandle(fade), width: 8, height: 8)
            XCTAssertEqual(start.colour(x: 4, y: 0), .clear)
            XCTAssertEqual(start.colour(x: 4, y: 4), .red)
            XCTAssertEqual(start.colour(x: 4, y: 7), .clear)
        }
    }

    /// The reverse: the part of the old picture that the new one does not cover has to fade out as well.
    func testWhatTheNewPictureDoesNotCoverFadesOut() throws {
        try onMainThread {
            initializeGTK()
            let old = ViewContent(StillContent(try Colour.red.image()))
            let viewport = Viewport(size: PointSize(width: 8, height: 8), fit: .contain)
            let new = ViewContent(StillContent(try Colour.blue.image(width: 16, height: 8)))
            let fade = TransitionContent(.crossDissolve, from: old, to: new) { viewport }
            fade.progress = 0.75
            // Of the view's eight rows the new picture has the four in the middle: the old one begins two rows above
            // it.
            let rendering = Rendering(PaintableHandle(Inset(fade, top: 2, height: 4)), width: 8, height: 8)
            assertEqual(rendering.colour(x: 4, y: 0), mix(.red, .clear, 0.75))
            assertEqual(rendering.colour(x: 4, y: 4), mix(.red, .blue, 0.75))
        }
    }

    func testAFrozenFadeNoLongerMoves() throws {
        try onMainThread {
            initializeGTK()
            let old = ViewContent(StillContent(try Colour.red.image()))
            let fade = TransitionContent(
                .crossDissolve, from: old, to: ViewContent(StillContent(try Colour.blue.image())))
            fade.progress = 0.5
            let handle = PaintableHandle(fade)
            let frozen = PaintableHandle(currentImageOf: handle.pointer)
            fade.progress = 1
            let colour = Rendering(frozen, width: 8, height: 8).colour(x: 4, y: 4)
            assertEqual(colour, mix(.red, .blue, 0.5))
        }
    }
}

/// Draws content some rows below the top, as a view does that centres it.
@MainActor
private final class Inset: PaintableContent {
    private let content: any PaintableContent
    private let top: Float
    private let height: Double

    init(_ content: any PaintableContent, top: Float, height: Double) {
        self.content = content
        self.top = top
        self.height = height
    }

    var intrinsicSize: PointSize { content.intrinsicSize }
    let isImmutable = false

    func draw(_ snapshot: OpaquePointer, width: Double, height: Double) {
        var origin = graphene_point_t(x: 0, y: top)
        gtk_snapshot_translate(snapshot, &origin)
        content.draw(snapshot, width: width, height: self.height)
    }

    func frozen() -> any PaintableContent { self }
}
