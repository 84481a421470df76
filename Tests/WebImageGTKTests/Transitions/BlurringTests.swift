import WebImage
import WebImageTestSupport
import XCTest

@testable import WebImageGTK

/// The reduced pictures that are blurred by being enlarged.
final class BlurringTests: GTKTestCase, @unchecked Sendable {
    /// Only some pixels of a large picture are averaged, so that the first frame does not take long; the difference is
    /// invisible.
    func testALargePictureIsBlurredFromSomeOfItsPixels() throws {
        try onMainThread {
            for (width, height) in [(1200, 900), (900, 1201), (2000, 30)] {
                let bitmap = try SamplePicture.make(0, width: width, height: height)
                let small = try XCTUnwrap(bitmap.blurred())
                let size = PointSize(width: Double(small.size.width), height: Double(small.size.height))
                XCTAssertEqual(max(small.size.width, small.size.height), 24)
                XCTAssertTrue(small.isOpaque)
                let exact = try XCTUnwrap(Image(bitmap: bitmap).resized(to: size, scaleMode: .fill)?.bitmap)
                XCTAssertGreaterThanOrEqual(Pixels(small).signalToNoise(Pixels(exact)), 30, "\(width) × \(height)")
            }
        }
    }

    func testSmallAndThinPicturesAreBlurredToo() throws {
        try onMainThread {
            for (width, height) in [(1, 1), (24, 1), (5000, 1), (1, 5000), (23, 25)] {
                let small = try XCTUnwrap(try Colour.red.image(width: width, height: height).bitmap.blurred())
                XCTAssertLessThanOrEqual(max(small.size.width, small.size.height), 24)
                XCTAssertEqual(Pixels(small)[0, 0], SIMD4(255, 0, 0, 255))
            }
        }
    }
}
