import CPixels

extension Bitmap {
    /// The pixels mirrored left to right, top to bottom, or both; the bitmap itself for neither.
    ///
    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory.
    func flipped(horizontal: Bool, vertical: Bool) throws(WebImageError) -> Bitmap {
        guard horizontal || vertical else { return self }
        return try Bitmap(size: size, format: format, colorSpace: colorSpace) { base, rowLength in
            withUnsafeBytes { pixels in
                guard let from = pixels.baseAddress else { return }
                for y in 0..<size.height {
                    let row = from + (vertical ? size.height - 1 - y : y) * bytesPerRow
                    let target = base + y * rowLength
                    switch (horizontal, format.depth) {
                    case (true, .eight):
                        webimage_reverse(
                            row.assumingMemoryBound(to: UInt32.self), target.assumingMemoryBound(to: UInt32.self),
                            size.width)
                    case (true, .sixteen): webimage_deep_reverse(row, target, size.width)
                    case (false, _): target.copyMemory(from: row, byteCount: rowLength)
                    }
                }
            }
            return isOpaque
        }
    }
}
