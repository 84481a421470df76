import CGtk4
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// One photo in several places of a browser.
final class BrowserSharedPhotosTests: GTKTestCase, @unchecked Sendable {
    /// A photo that stands at two indices keeps its picture as long as one of its pages is there.
    func testSharedPhoto() throws {
        try onBrowser(3) {
            $0.app.photos[2] = $0.app.photos[0]
        } test: { stage in
            load(0, in: stage)
            stage.browser.setCurrentPhotoIndex(1)
            iterate(until: { stage.deck.pages[2]?.hasPicture == true }, "both pages show it")
            stage.browser.setCurrentPhotoIndex(2)
            XCTAssertNil(stage.deck.pages[0])
            XCTAssertNotNil(stage.app.photos[0].underlyingImage)
            XCTAssertEqual(stage.colour(x: 400, y: 300), .red)
            stage.browser.setCurrentPhotoIndex(0)
            XCTAssertEqual(stage.colour(x: 400, y: 300), .red)
            let photo = stage.app.photos[0]
            stage.app.photos = []
            stage.browser.reloadData()
            XCTAssertNil(photo.underlyingImage)
        }
    }

    /// A photo of the app's own that is its own thumbnail keeps its picture when its cell is scrolled away.
    func testPhotoAsThumbnail() throws {
        try onBrowser(4) {
            let photo = Photo(.closure { try Colour.green.image(width: 80, height: 60) })
            // The first one decides whether there is a grid.
            $0.app.thumbnails[0] = Photo(image: try Colour.blue.image())
            ($0.app.photos[3], $0.app.thumbnails[3]) = (photo, photo)
        } test: { stage in
            let photo = stage.app.photos[3]
            stage.browser.showGrid()
            iterate(
                until: { photo.underlyingImage != nil && stage.browser.panels.grid?.cell(at: 3) != nil },
                "the cell has loaded it")
            stage.browser.setCurrentPhotoIndex(3)
            iterate(until: { stage.page?.hasPicture == true }, "the page shows it, too")
            stage.browser.panels.grid?.cell(at: 3)?.unbind()
            XCTAssertNotNil(photo.underlyingImage)
            stage.browser.setCurrentPhotoIndex(0)
            XCTAssertNil(photo.underlyingImage)
        }
    }
}
