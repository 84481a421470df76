import CGtk4
import XCTest

@testable import WebImageGTK

/// The place of an indicator along one side of its view.
final class IndicatorPlacementTests: GTKTestCase, @unchecked Sendable {
    private typealias Wish = IndicatorPlacement.Wish

    /// IND-4
    func testWhatHasASizeLiesInTheMiddle() {
        onMainThread {
            assertPlaced(Wish(minimum: 10, natural: 20), within: 100, from: 40, length: 20)
            assertPlaced(Wish(minimum: 0, natural: 21), within: 100, from: 39, length: 21)
        }
    }

    /// IND-4
    func testWhatHasNoSizeGetsTheViews() {
        onMainThread {
            assertPlaced(Wish(minimum: 0, natural: 0), within: 100, from: 0, length: 100)
            assertPlaced(Wish(minimum: 0, natural: 0), within: 0, from: 0, length: 0)
        }
    }

    func testWhatExpandsOrIsAlignedGetsAllOfTheView() {
        onMainThread {
            assertPlaced(Wish(minimum: 10, natural: 20, expands: true), within: 100, from: 0, length: 100)
            assertPlaced(Wish(minimum: 10, natural: 20, expands: true, limit: 30), within: 100, from: 35, length: 30)
            assertPlaced(Wish(minimum: 10, natural: 20, expands: true, limit: 30), within: 20, from: 0, length: 20)
            assertPlaced(Wish(minimum: 10, natural: 20, alignment: GTK_ALIGN_END), within: 100, from: 0, length: 100)
        }
    }

    func testWhatIsLongerThanTheViewShrinksAsFarAsItCanAndHangsOverOnBothSides() {
        onMainThread {
            assertPlaced(Wish(minimum: 10, natural: 40), within: 20, from: 0, length: 20)
            assertPlaced(Wish(minimum: 30, natural: 40), within: 20, from: -5, length: 30)
            assertPlaced(Wish(minimum: 30, natural: 40, expands: true), within: 20, from: -5, length: 30)
            assertPlaced(Wish(minimum: 30, natural: 40), within: 0, from: -15, length: 30)
        }
    }

    @MainActor
    private func assertPlaced(
        _ wish: Wish, within length: Int32, from origin: Int32, length expected: Int32, file: StaticString = #filePath,
        line: UInt = #line
    ) {
        let placement = IndicatorPlacement(wish, within: length)
        XCTAssertEqual(placement.origin, origin, file: file, line: line)
        XCTAssertEqual(placement.length, expected, file: file, line: line)
    }
}
