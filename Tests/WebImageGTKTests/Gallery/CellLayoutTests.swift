import Testing

@testable import webimage_gallery

@Suite @MainActor struct CellLayoutTests {
    @Test("cells fill the width, and are never fewer than two beside each other", arguments: [1, 300, 640, 1280, 3840])
    func columns(width: Int) {
        let layout = CellLayout(gridWidth: width)
        #expect(layout.columns >= 2)
        if width >= 640 { #expect((180...320).contains(layout.pictureWidth)) }
    }
}
