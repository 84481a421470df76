import WebImage
import WebImageCommandLine

/// The places of pictures: beside each other and of the same size.
struct PictureGrid: Sendable, Equatable {
    /// The pictures in a row.
    let across: Int
    /// The size of each place, in those of characters.
    let columns: Int
    let rows: Int

    /// Places of characters between two pictures.
    static let gap = 2
    /// Places of characters in a row.
    static let mostColumns = 1000

    /// - Parameters:
    ///   - count: The number of pictures.
    ///   - size: The size of each place that was asked for.
    ///   - across: The pictures in a row that were asked for.
    init(count: Int, size: CellBox?, across: Int?, screen: PictureScreen) {
        let isAlone = count <= 1
        if let width = size?.columns {
            let room = max(1, (screen.columns + Self.gap) / (width + Self.gap))
            self.across = max(1, min(across ?? room, count))
            columns = width
        } else {
            let usual = max(1, (screen.columns + Self.gap) / (Self.usualWidth + Self.gap))
            self.across = max(1, min(across ?? usual, count))
            columns = max(1, (screen.columns + Self.gap) / self.across - Self.gap)
        }
        // Several stand in squares; the names take a line.
        let square = (columns * screen.cell.width + screen.cell.height - 1) / screen.cell.height
        rows = size?.rows ?? (isAlone ? screen.rows : max(1, min(screen.rows - 1, square)))
    }

    /// Of a picture in a grid, where nothing else is asked for.
    private static let usualWidth = 24

    /// The size of a place in pixels.
    func pixelSize(on screen: PictureScreen) -> PixelSize {
        PixelSize(width: columns * screen.cell.width, height: rows * screen.cell.height)
    }
}

/// A box in places of characters, of which one side may be open.
struct CellBox: Sendable, Equatable {
    let columns: Int?
    let rows: Int?
}

extension OptionValue where Value == CellBox {
    /// Columns and rows, or one of them.
    static var cellBox: Self {
        let most = PictureScreen.most
        return Self(
            placeholder: "COLUMNSxROWS",
            expectation: "columns from 1 to \(most.width) and rows from 1 to \(most.height), such as 80x24, 80x or x24"
        ) { text in
            let sides = text.split(separator: "x", omittingEmptySubsequences: false)
            guard sides.count == 2, sides.contains(where: { !$0.isEmpty }) else { return nil }
            let numbers = sides.map { side in side.allSatisfy { ("0"..."9").contains($0) } ? Int(side) : nil }
            for (number, (side, limit)) in zip(numbers, zip(sides, [most.width, most.height])) {
                guard side.isEmpty || number.map((1...limit).contains) == true else { return nil }
            }
            return CellBox(columns: numbers[0], rows: numbers[1])
        }
    }
}
