import CPixels

/// Pixels of a frame that must be laid over what is on the canvas. The memory is used again for each frame.
package struct FrameScratch {
    private var buffer: PixelBuffer?
    private var byteCount = 0

    package init() {}

    /// Lets `decode` write a frame's straight pixels and puts them on the canvas: at once where the frame hides what is
    /// there, or else blended.
    ///
    /// - Parameters:
    ///   - frame: Lies on the canvas with all its pixels.
    ///   - decode: Gets the address of the first pixel and the bytes from row to row.
    package mutating func draw(
        _ frame: FrameDescription, on canvas: AnimationCanvas,
        decode: (UnsafeMutablePointer<UInt8>, _ bytesPerRow: Int) throws(WebImageError) -> Void
    ) throws(WebImageError) {
        if frame.blend == .source || frame.isOpaque {
            return try decode(canvas.pixel(frame.left, frame.top), canvas.bytesPerRow)
        }
        let bytesPerRow = frame.size.width * 4
        let base = try memory(bytesPerRow * frame.size.height, for: frame)
        try decode(base, bytesPerRow)
        for y in 0..<frame.size.height {
            webimage_blend_over(
                base + y * bytesPerRow, canvas.pixel(frame.left, frame.top + y), frame.size.width)
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
