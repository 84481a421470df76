import WebImage

/// How the grid divides its width, and how large a picture is decoded for a cell of it.
struct CellLayout: Equatable {
    /// Cells beside each other.
    let columns: Int
    /// Units of a picture within its card.
    let pictureWidth: Int
    let pictureHeight: Int

    private static let preferredCellWidth = 206
    /// Padding of the grid and of a cell, and the card's border, as the style sheet has them.
    private static let gridPadding = 24
    private static let cellPadding = 16

    init(gridWidth: Int) {
        let width = max(gridWidth - Self.gridPadding, Self.preferredCellWidth)
        columns = max(2, width / Self.preferredCellWidth)
        pictureWidth = max(80, width / columns - Self.cellPadding)
        pictureHeight = pictureWidth * 3 / 4
    }

    /// The box that a picture is decoded to fit, in pixels. A cell is covered, so the box is half as large again as the
    /// cell: that is enough for pictures from 2:1 to 2:3. In steps, so that a little more room decodes nothing anew.
    func thumbnailPixelSize(scaleFactor: Int) -> PixelSize {
        let wanted = max(pictureWidth, pictureHeight) * 3 / 2 * max(1, scaleFactor)
        let side = (wanted + 31) / 32 * 32
        return PixelSize(width: side, height: side)
    }
}
