import FoundationEssentials
import WebImage
import WebImageCommandLine

/// The pictures that stand beside each other, drawn as one: so all ways to draw need no more than a line's end.
struct PictureRow {
    /// A picture as it is drawn.
    struct Place {
        let bitmap: Bitmap
        let name: String
    }

    var places: [Place]
    let grid: PictureGrid
    let screen: PictureScreen

    /// The rows of characters that the pictures take.
    var height: Int { places.map { rows(of: $0.bitmap) }.max() ?? 1 }

    /// The columns of characters that the pictures take.
    var width: Int {
        guard grid.across == 1, let bitmap = places.first?.bitmap else {
            return places.count * (grid.columns + PictureGrid.gap) - PictureGrid.gap
        }
        return min(grid.columns, (bitmap.size.width + screen.cell.width - 1) / screen.cell.width)
    }

    /// The characters and control sequences for the row, and for the names below it; each line has its end.
    ///
    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory.
    func drawing(withNames: Bool) throws(WebImageError) -> Data {
        var drawing = try screen.drawing(of: try canvas(), columns: width, rows: height)
        drawing.append(contentsOf: "\n".utf8)
        if withNames { drawing.append(contentsOf: "\(names)\n\n".utf8) }
        return drawing
    }

    /// Each in the middle below its picture.
    private var names: String {
        if grid.across == 1 { return places.first?.name.withoutControls.fitted(to: grid.columns) ?? "" }
        let line = places.reduce(into: "") { line, place in
            let name = place.name.withoutControls.fitted(to: grid.columns)
            let margin = (grid.columns - name.columnCount) / 2
            let text = name.paddedLeft(to: margin + name.columnCount).padded(to: grid.columns + PictureGrid.gap)
            line += text
        }
        return String(line.reversed().drop { $0 == " " }.reversed())
    }

    /// All pictures at their places: in the middle, and at the bottom, where the names are.
    private func canvas() throws(WebImageError) -> Bitmap {
        let size = PixelSize(width: width * screen.cell.width, height: height * screen.cell.height)
        return try Bitmap(size: size) { base, bytesPerRow in
            base.initializeMemory(as: UInt8.self, repeating: 0, count: bytesPerRow * size.height)
            for (index, place) in places.enumerated() {
                let left = index * (grid.columns + PictureGrid.gap) * screen.cell.width
                draw(place.bitmap, at: left, size, base, bytesPerRow)
            }
            return false
        }
    }

    private func draw(
        _ bitmap: Bitmap, at left: Int, _ canvas: PixelSize, _ base: UnsafeMutableRawPointer, _ bytesPerRow: Int
    ) {
        let room = min(grid.columns, width) * screen.cell.width
        let x = left + max(0, room - bitmap.size.width) / 2
        let y = canvas.height - bitmap.size.height
        bitmap.withUnsafeBytes { bytes in
            guard let from = bytes.baseAddress else { return }
            for row in 0..<bitmap.size.height {
                (base + (y + row) * bytesPerRow + x * 4).copyMemory(
                    from: from + row * bitmap.bytesPerRow, byteCount: bitmap.size.width * 4)
            }
        }
    }

    private func rows(of bitmap: Bitmap) -> Int {
        (bitmap.size.height + screen.cell.height - 1) / screen.cell.height
    }
}
