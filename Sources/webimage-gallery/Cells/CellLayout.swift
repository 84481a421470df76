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
    private static let boxStep = 16

    init(gridWidth: Int) {
        let width = max(gridWidth - Self.gridPadding, Self.preferredCellWidth)
        columns = max(2, width / Self.preferredCellWidth)
        pictureWidth = max(80, width / columns - Self.cellPadding)
        pictureHeight = pictureWidth * 3 / 4
    }

    /// The box that a picture is decoded to fit, in pixels.
    ///
    /// A picture covers its cell, so a box a third larger than the cell is enough for the common proportions, and others
    /// are enlarged a little. No larger: cairo takes six times as long to draw what it has to reduce by more than a
    /// quarter, in every frame. In steps, so that a little more room decodes nothing anew.
    func thumbnailPixelSize(scaleFactor: Int) -> PixelSize {
        let largest = pictureWidth * max(1, scaleFactor) * 4 / 3
        let side = max(Self.boxStep, largest / Self.boxStep * Self.boxStep)
        return PixelSize(width: side, height: side)
    }
}
