import CGtk4
import WebImage
import WebImageTestSupport
import XCTest

@testable import WebImageGTK

/// Pictures on the screen in the place of others with which they have rows in common: from GTK 4.16 on only those that
/// differ are drawn.
final class PartialDrawingTests: GTKTestCase, @unchecked Sendable {
    /// Enlarged and reduced, a row of the screen has the colours of several rows of the picture.
    func testNoRowStaysAsItWas() throws {
        try onMainThread {
            try requireDisplay()
            for renderer in ScreenRenderer.allCases {
                for size in [PixelSize(width: 30, height: 25), PixelSize(width: 900, height: 750)] {
                    try check(size, renderer)
                }
            }
        }
    }

    @MainActor
    private func check(_ size: PixelSize, _ renderer: ScreenRenderer) throws {
        let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
        gtk_picture_set_content_fit(OpaquePointer(picture), GTK_CONTENT_FIT_FILL)
        let view = PictureView(picture)
        let stage = try ScreenStage(PixelSize(width: 180, height: 150), picture, renderer, self)
        defer { stage.close() }
        func seen(_ bitmap: Bitmap?) throws -> Pixels {
            view.image = bitmap.map { Image(bitmap: $0) }
            drawFrames(3, of: stage.window)
            return try XCTUnwrap(stage.grab())
        }
        let former = try SamplePicture.make(0, width: size.width, height: size.height, alpha: 1)
        let next = try former.inverted(rows: 2 * size.height / 5..<3 * size.height / 5)
        let before = try seen(former)
        let after = try seen(next)
        XCTAssertLessThan(after.signalToNoise(before), 30, "\(size) by \(renderer)")
        _ = try seen(nil)
        // cairo's last bit depends on the part that is drawn; a row of the screen that stayed as it was gives below 50 dB.
        let least = renderer == .cairo ? 65 : Double.infinity
        XCTAssertGreaterThanOrEqual(after.signalToNoise(try seen(next)), least, "\(size) by \(renderer)")
    }
}

extension Bitmap {
    fileprivate func inverted(rows: Range<Int>) throws(WebImageError) -> Bitmap {
        var pixels = bytes
        for place in rows.lowerBound * bytesPerRow..<rows.upperBound * bytesPerRow where place % 4 != 3 {
            pixels[place] = 255 - pixels[place]
        }
        return try Bitmap(size: size, format: format, pixels: pixels)
    }
}
