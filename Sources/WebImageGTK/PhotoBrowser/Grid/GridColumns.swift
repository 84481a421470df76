import WebImage

/// The columns of a browser's grid, and the side of its square cells.
nonisolated struct GridColumns: Equatable {
    /// Between cells, in points.
    static let gutter = 2.0

    let count: Int
    /// In points.
    let side: Int

    /// Three in a narrow view, and up to eight in a large one that is wide.
    init(width: Double, height: Double) {
        let isWide = width > height
        let isLarge = min(width, height) >= 768
        count =
            switch (isLarge, isWide) {
            case (false, false): 3
            case (false, true): width < 568 ? 4 : 5
            case (true, false): 6
            case (true, true): 8
            }
        side = max(1, Int((width / Double(count) - Self.gutter).rounded(.down)))
    }
}
