import CPixels
import WebImageCore

extension Image {
    /// The colour of a pixel, straight; nil outside of the picture, and for more than 8 bits a channel and Display P3, whose
    /// colours an ``RGBAColor`` cannot hold: convert the bitmap first. Any thread.
    ///
    /// - Parameters:
    ///   - x: The column, from 0.
    ///   - y: The row, from 0 at the top.
    public func color(x: Int, y: Int) -> RGBAColor? {
        guard 0..<pixelSize.width ~= x, 0..<pixelSize.height ~= y else { return nil }
        return colors(columns: x..<x + 1, rows: y..<y + 1)?.first
    }

    /// The colours of the pixels of a rectangle, straight, row by row; nil when a part of it lies outside of the picture,
    /// when it is empty, and for more than 8 bits a channel and Display P3. Any thread.
    ///
    /// - Parameters:
    ///   - columns: The columns, from 0.
    ///   - rows: The rows, from 0 at the top.
    public func colors(columns: Range<Int>, rows: Range<Int>) -> [RGBAColor]? {
        guard bitmap.isShallow, !columns.isEmpty, !rows.isEmpty, columns.lowerBound >= 0, rows.lowerBound >= 0,
            columns.upperBound <= pixelSize.width, rows.upperBound <= pixelSize.height
        else { return nil }
        return rows.flatMap { bitmap.straightColors(columns: columns, row: $0) }
    }
}

extension Bitmap {
    fileprivate func straightColors(columns: Range<Int>, row: Int) -> [RGBAColor] {
        withUnsafeBytes { bytes in
            let start = row * bytesPerRow + columns.lowerBound * 4
            var pixels = Array(bytes[start..<start + columns.count * 4])
            if format.isPremultiplied { webimage_unpremultiply(&pixels, columns.count) }
            return stride(from: 0, to: pixels.count, by: 4).map {
                RGBAColor(red: pixels[$0], green: pixels[$0 + 1], blue: pixels[$0 + 2], alpha: pixels[$0 + 3])
            }
        }
    }
}
