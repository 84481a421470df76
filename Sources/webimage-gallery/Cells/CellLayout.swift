/// How the grid divides its width.
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
}
