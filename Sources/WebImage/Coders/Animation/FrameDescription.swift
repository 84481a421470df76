/// Where a frame lies on the canvas, and what happens to the canvas before and after it.
package struct FrameDescription: Sendable, Hashable {
    /// What becomes of the frame's area when its time is over.
    package enum Disposal: Sendable {
        case keep
        /// It becomes transparent.
        case background
        /// It becomes what it was before the frame.
        case previous
    }

    /// How the frame's pixels and what lies under them make new ones.
    package enum Blend: Sendable {
        case source, over
    }

    /// Column and row of the first pixel on the canvas.
    package var left = 0
    package var top = 0
    /// May reach beyond the canvas, where the frame is cut off.
    package var size: PixelSize
    package var disposal = Disposal.keep
    package var blend = Blend.over
    /// Milliseconds, as the file says.
    package var duration = 0
    /// Whether every pixel is known to be opaque.
    package var isOpaque = false

    package init(size: PixelSize) { self.size = size }

    /// Whether what was on the canvas cannot be seen any more.
    func hidesCanvas(of canvas: PixelSize) -> Bool { covers(canvas) && (blend == .source || isOpaque) }

    /// Whether the frame lies on every pixel of the canvas.
    func covers(_ canvas: PixelSize) -> Bool {
        left <= 0 && top <= 0 && left + size.width >= canvas.width && top + size.height >= canvas.height
    }
}
