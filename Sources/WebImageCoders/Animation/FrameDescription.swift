import WebImageCore

/// A frame's place on the canvas, and its effect on the canvas before and after it.
package struct FrameDescription: Sendable, Hashable {
    /// The handling of the frame's area at the end of the frame.
    package enum Disposal: Sendable {
        case keep
        /// It becomes transparent.
        case background
        /// It is restored to its content before the frame.
        case previous
    }

    /// The way the frame's pixels combine with those below.
    package enum Blend: Sendable {
        case source, over
    }

    /// Column and row of the first pixel on the canvas.
    package var left = 0
    package var top = 0
    /// May reach beyond the canvas, which clips it.
    package var size: PixelSize
    package var disposal = Disposal.keep
    package var blend = Blend.over
    /// In milliseconds, as in the file.
    package var duration = 0
    /// Whether every pixel is known to be opaque.
    package var isOpaque = false

    package init(size: PixelSize) { self.size = size }

    /// Whether nothing of the former canvas stays visible.
    func hidesCanvas(of canvas: PixelSize) -> Bool { covers(canvas) && (blend == .source || isOpaque) }

    /// Whether the frame covers every pixel of the canvas.
    func covers(_ canvas: PixelSize) -> Bool {
        left <= 0 && top <= 0 && left + size.width >= canvas.width && top + size.height >= canvas.height
    }
}
