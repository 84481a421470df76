import CPixels
import WebImageCore
import WebImagePixels

/// A buffer for a frame that is blended over the canvas, or that may turn out to be damaged. It is reused for each
/// frame.
package struct FrameScratch {
    private var buffer: PixelBuffer?
    private var byteCount = 0

    package init() {}

    /// Lets `decode` write a frame's straight pixels and draws them on the canvas: directly where the frame hides the
    /// canvas below, otherwise blended.
    ///
    /// - Parameters:
    ///   - frame: Lies within the canvas.
    ///   - leavesNoPart: Whether the canvas must stay unchanged where `decode` throws.
    ///   - decode: Gets the address of the first pixel and the number of bytes per row.
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
