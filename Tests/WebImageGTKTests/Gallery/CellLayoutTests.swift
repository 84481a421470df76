import Testing
import WebImage

@testable import webimage_gallery

@Suite @MainActor struct CellLayoutTests {
    @Test("cells fill the width, and are never fewer than two beside each other", arguments: [1, 300, 640, 1280, 3840])
    func columns(width: Int) {
        let layout = CellLayout(gridWidth: width)
        #expect(layout.columns >= 2)
        if width >= 640 { #expect((180...320).contains(layout.pictureWidth)) }
    }

    @Test(
        "a picture is enlarged little to cover its cell, and never reduced by more than a quarter",
        arguments: [(1, 900), (1, 1280), (1, 1920), (2, 1280), (3, 1280)], [2.0, 1.5, 1.333, 1, 0.75, 0.667])
    func thumbnails(display: (scaleFactor: Int, width: Int), proportion: Double) {
        let layout = CellLayout(gridWidth: display.width)
        let box = Double(layout.thumbnailPixelSize(scaleFactor: display.scaleFactor).width)
        let picture = (width: box * min(1, proportion), height: box / max(1, proportion))
        let cell = (
            width: Double(layout.pictureWidth * display.scaleFactor),
            height: Double(layout.pictureHeight * display.scaleFactor)
        )
        let factor = max(cell.width / picture.width, cell.height / picture.height)
        #expect(factor >= 0.75)
        #expect(factor < 1.25)
    }

    @Test("a little more room asks for the same thumbnails")
    func steps() {
        let sizes = (1270...1290).map { CellLayout(gridWidth: $0).thumbnailPixelSize(scaleFactor: 1) }
        #expect(Set(sizes).count <= 2)
    }
}
