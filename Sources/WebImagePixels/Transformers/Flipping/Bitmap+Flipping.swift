import CPixels
import WebImageCore

extension Bitmap {
    /// The pixels mirrored left to right, top to bottom, or both; the bitmap itself for neither. Uses all processors;
    /// blocks; any thread.
    ///
    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory.
    public func flipped(horizontal: Bool, vertical: Bool) throws(WebImageError) -> Bitmap {
        guard horizontal || vertical else { return self }
        let (size, depth, bytesPerRow) = (size, format.depth, bytesPerRow)
        return try mapped { source, strip in
            for y in strip.rows {
                let (from, target) = (source.row(vertical ? size.height - 1 - y : y), strip.row(y))
                switch (horizontal, depth) {
                case (true, .eight):
                    webimage_reverse(
                        from.assumingMemoryBound(to: UInt32.self), target.assumingMemoryBound(to: UInt32.self),
                        size.width)
                case (true, .sixteen): webimage_deep_reverse(from, target, size.width)
                case (false, _): target.copyMemory(from: from, byteCount: bytesPerRow)
                }
            }
            return isOpaque
        }
    }
}
