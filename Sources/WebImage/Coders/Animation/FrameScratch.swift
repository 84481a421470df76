import CPixels

/// Pixels of a frame that must be laid over what is on the canvas, or that may turn out to be damaged. The memory is used
/// again for each frame.
package struct FrameScratch {
    private var buffer: PixelBuffer?
    private var byteCount = 0

    package init() {}

    /// Lets `decode` write a frame's straight pixels and puts them on the canvas: at once where the frame hides what is
    /// there, or else blended.
    ///
    /// - Parameters:
    ///   - frame: Lies on the canvas with all its pixels.
    ///   - leavesNoPart: Whether the canvas must stay as it is where `decode` throws.
    ///   - decode: Gets the address of the first pixel and the bytes from row to row.
    package mutating func draw(
        _ frame: FrameDescription, on canvas: AnimationCanvas, leavesNoPart: Bool,
        decode: (UnsafeMutablePointer<UInt8>, _ bytesPerRow: Int) throws(WebImageError) -> Void
    ) throws(WebImageError) {
        let replaces = frame.blend == .source || frame.isOpaque
        if replaces, !leavesNoPart {
            return try decode(canvas.pixel(frame.left, frame.top), canvas.bytesPerRow)
        }
        let bytesPerRow = frame.size.width * 4
        let base = try memory(bytesPerRow * frame.size.height, for: frame)
        try decode(base, bytesPerRow)
        for y in 0..<frame.size.height {
            let (row, place) = (base + y * bytesPerRow, canvas.pixel(frame.left, frame.top + y))
            if replaces {
                place.update(from: row, count: bytesPerRow)
            } else {
                webimage_blend_over(row, place, frame.size.width)
            }
        }
    }

    private mutating func memory(
        _ needed: Int, for frame: FrameDescription
    ) throws(WebImageError) -> UnsafeMutablePointer<UInt8> {
        if let buffer, byteCount >= needed { return buffer.base }
        guard let grown = PixelBuffer(byteCount: needed) else { throw .outOfMemory(for: frame.size) }
        (buffer, byteCount) = (grown, needed)
        return grown.base
    }
}
