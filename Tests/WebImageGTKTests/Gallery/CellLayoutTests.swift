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

    @Test("a picture is decoded large enough to cover its cell, and not much larger", arguments: [1, 2, 3])
    func thumbnails(scaleFactor: Int) {
        let layout = CellLayout(gridWidth: 1280)
        let box = layout.thumbnailPixelSize(scaleFactor: scaleFactor)
        let cell = (width: layout.pictureWidth * scaleFactor, height: layout.pictureHeight * scaleFactor)
        // Landscape 3:2 is as wide as the box, portrait 2:3 as high.
        #expect(box.width >= cell.width && box.width * 2 / 3 >= cell.height)
        #expect(box.height * 2 / 3 + 1 >= cell.width)
        #expect(box.width <= cell.width * 2)
    }

    @Test("a little more room asks for the same thumbnails")
    func steps() {
        let sizes = (1270...1290).map { CellLayout(gridWidth: $0).thumbnailPixelSize(scaleFactor: 1) }
        #expect(Set(sizes).count <= 2)
    }
}
