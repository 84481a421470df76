import CGtk4
import WebImage
import WebImageTestSupport
import XCTest

@testable import WebImageGTK

/// Pictures of transitions with far more pixels than are drawn.
final class ShrinkingTests: GTKTestCase, @unchecked Sendable {
    /// The picture is drawn from the first frame on, and looks the same after the reduction.
    func testALargePictureBecomesAsLargeAsItIsSeen() throws {
        try onMainThread {
            try requireDisplay()
            let large = ViewContent(StillContent(Image(bitmap: try SamplePicture.make(0, width: 1200, height: 800))))
            let small = ViewContent(StillContent(Image(bitmap: try SamplePicture.make(1, width: 120, height: 80))))
            let viewport = Viewport(size: PointSize(width: 120, height: 100), fit: .contain, scale: 2)
            let content = TransitionContent(.flipFromLeft, from: large, to: small) { viewport }
            content.progress = 0.2
            content.shrinkPictures()
            XCTAssertEqual(large?.picture.bitmap?.size.width, 1200, "it is not drawn by cairo")
            content.renderer = .cairo
            let before = drawn(content)
            content.shrinkPictures()
            XCTAssertEqual(large?.picture.bitmap?.size.width, 1200, "the main thread has made it small")
            iterate(until: { large?.picture.bitmap?.size.width == 240 }, "the small picture")
            XCTAssertEqual(large?.picture.bitmap?.size, PixelSize(width: 240, height: 160))
            XCTAssertEqual(small?.picture.bitmap?.size.width, 120)
            XCTAssertGreaterThanOrEqual(drawn(content).signalToNoise(before), 34)
        }
    }

    /// Releasing a transition before the reduction ends does not wait for it, and the result is dropped.
    func testAPictureThatIsGoneIsNotMadeSmall() throws {
        try onMainThread {
            try requireDisplay()
            weak var bitmap: Bitmap?
            try { () throws in
                let picture = TransitionPicture(try SamplePicture.make(0, width: 600, height: 400))
                bitmap = picture.bitmap
                picture.shrink(to: PointSize(width: 60, height: 40), scale: 1)
                picture.shrink(to: PointSize(width: 0, height: 0), scale: 1)
            }()
            iterate(until: { bitmap == nil }, "the picture's end")
        }
    }

    @MainActor
    private func drawn(_ content: TransitionContent) -> Pixels {
        Pixels.drawnByCairo(PixelSize(width: 240, height: 160), scale: 2) { content.draw($0, width: 120, height: 80) }
    }
}
