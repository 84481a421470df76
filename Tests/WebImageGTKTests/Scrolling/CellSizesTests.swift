import CGtk4
import WebImage
import XCTest

@testable import WebImageGTK

/// The remembered sizes of cells.
final class CellSizesTests: GTKTestCase, @unchecked Sendable {
    func testSizesAreThoseOfAKindAndForgottenWithTheWidthOfTheList() throws {
        try onMainThread {
            initializeGTK()
            let (cover, portrait) = (kind(height: 200), kind(height: 40))
            let box = DecodeBox(viewSize: PointSize(width: 300, height: 200), scaleFactor: 1, fit: .cover)
            var sizes = CellSizes()
            sizes.learn(try XCTUnwrap(box), of: cover, width: 300)
            XCTAssertEqual(sizes.box(of: cover, width: 300), box)
            XCTAssertNil(sizes.box(of: portrait, width: 300))
            XCTAssertNil(sizes.box(of: cover, width: 600))
            XCTAssertNil(sizes.box(of: cover, width: 300), "what was is no guess any more")
        }
    }

    /// When each cell has a size of its own.
    func testAHandfulOfKindsIsRemembered() throws {
        try onMainThread {
            initializeGTK()
            let box = DecodeBox(viewSize: PointSize(width: 300, height: 200), scaleFactor: 1, fit: .cover)
            var sizes = CellSizes()
            for height in 1...1000 { sizes.learn(try XCTUnwrap(box), of: kind(height: Int32(height)), width: 300) }
            XCTAssertEqual(sizes.box(of: kind(height: 1000), width: 300), box)
            XCTAssertLessThanOrEqual((1...1000).count { sizes.box(of: kind(height: $0), width: 300) != nil }, 64)
        }
    }

    @MainActor
    private func kind(height: Int32) -> CellKind {
        CellKind(
            place: .image, type: gtk_picture_get_type(), depth: 5, sizeRequest: .init(width: -1, height: height),
            fit: .cover, scaleFactor: 1)
    }
}
