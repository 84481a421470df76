/// The division of the grid's width into columns.
struct CellLayout: Equatable {
    /// The number of columns.
    let columns: Int
    /// The width of a picture within its card, in points.
    let pictureWidth: Int
    let pictureHeight: Int

    private static let preferredCellWidth = 206
    /// Padding of the grid and of a cell, and the card's border, as in the style sheet.
    private static let gridPadding = 24
    private static let cellPadding = 16

    init(gridWidth: Int) {
        let width = max(gridWidth - Self.gridPadding, Self.preferredCellWidth)
        columns = max(2, width / Self.preferredCellWidth)
        pictureWidth = max(80, width / columns - Self.cellPadding)
        pictureHeight = pictureWidth * 3 / 4
    }
}
