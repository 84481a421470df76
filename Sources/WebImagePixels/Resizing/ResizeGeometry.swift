import WebImageCore

/// The place of a resized picture's pixels.
///
/// The picture is scaled to whole pixels and placed on whole pixels, so that its edges stay sharp and a picture that is
/// only cropped keeps its remaining pixels.
package struct ResizeGeometry: Sendable, Hashable {
    /// The size of the result.
    let canvas: PixelSize
    /// The size of the scaled picture, larger than the canvas where it overhangs.
    let placed: PixelSize
    /// The scaled picture's left edge in the canvas, negative where it overhangs.
    let x: Int
    /// The scaled picture's top edge in the canvas, negative where it overhangs.
    let y: Int

    /// Nil when `size` has no pixels, or more than the default ``ImageLimits/maximumPixelCount``.
    package init?(source: PixelSize, size: PointSize, scale: Double, mode: ImageScaleMode) {
        guard let width = Self.pixels(size.width * scale), let height = Self.pixels(size.height * scale) else {
            return nil
        }
        let canvas = PixelSize(width: width, height: height)
        guard canvas.area <= ImageLimits().maximumPixelCount else { return nil }
        self.canvas = canvas
        placed = Self.scaled(source, to: canvas, mode: mode)
        x = (canvas.width - placed.width) >> 1
        y = (canvas.height - placed.height) >> 1
    }

    /// The visible part of the scaled picture.
    var visible: StreamResampler.Part {
        StreamResampler.Part(
            columns: max(0, -x)..<min(placed.width, canvas.width - x),
            rows: max(0, -y)..<min(placed.height, canvas.height - y))
    }

    /// The columns and rows of the canvas that show the picture.
    var visibleColumns: Range<Int> { max(0, x)..<min(canvas.width, x + placed.width) }
    var visibleRows: Range<Int> { max(0, y)..<min(canvas.height, y + placed.height) }

    var hasMargin: Bool { placed.width < canvas.width || placed.height < canvas.height }

    private static func pixels(_ length: Double) -> Int? {
        guard length > 0, length <= Double(ImageLimits().maximumPixelCount) else { return nil }
        return max(1, Int(length.rounded()))
    }

    private static func scaled(_ source: PixelSize, to canvas: PixelSize, mode: ImageScaleMode) -> PixelSize {
        let horizontal = Double(canvas.width) / Double(source.width)
        let vertical = Double(canvas.height) / Double(source.height)
        let followsWidth =
            switch mode {
            case .fill: nil as Bool?
            case .aspectFit: horizontal < vertical
            case .aspectFill: horizontal > vertical
            }
        guard let followsWidth, horizontal != vertical else { return canvas }
        return followsWidth
            ? PixelSize(width: canvas.width, height: max(1, Int((Double(source.height) * horizontal).rounded())))
            : PixelSize(width: max(1, Int((Double(source.width) * vertical).rounded())), height: canvas.height)
    }
}
