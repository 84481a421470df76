import WebImageCore

/// Halves both sides of a picture row by row: each pixel is the mean of two by two, and of what there is at the right and
/// the lower edge.
package final class PixelHalver {
    private let source: PixelSize
    private let shrinker: BoxShrinker
    private var receivedRows = 0

    /// - Parameter source: The size before; its pixels have 8 bits a channel and are premultiplied.
    package init(_ source: PixelSize) throws(WebImageError) {
        guard let shrinker = BoxShrinker(width: source.width, factor: .half, depth: .eight) else {
            throw .outOfMemory(for: source)
        }
        self.source = source
        self.shrinker = shrinker
    }

    /// Takes the next row.
    ///
    /// - Returns: Whether it completes a row of the result, which is in `result` then.
    package func add(_ row: UnsafeRawBufferPointer, result: UnsafeMutablePointer<UInt8>) -> Bool {
        if let start = row.baseAddress {
            UnsafeMutableRawPointer(shrinker.inputRow).copyMemory(from: start, byteCount: row.count)
        }
        receivedRows += 1
        return shrinker.addInputRow(isLast: receivedRows == source.height, result: result)
    }
}
