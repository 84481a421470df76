import WebImage
import WebImageCore
import WebImagePixels

extension ProcessingTransformer {
    /// The picture without its margin.
    func trimmed(_ image: Image) -> Image? {
        guard let trim = options.trim else { return image }
        guard let found = margin(of: image, trim) else { return image }
        return found == Margin() ? image : image.cropped(to: found.inside(image.pixelSize))
    }

    private struct Margin: Equatable {
        var top = 0, left = 0, bottom = 0, right = 0

        func inside(_ size: PixelSize) -> PointRect {
            PointRect(
                x: Double(left), y: Double(top), width: Double(size.width - left - right),
                height: Double(size.height - top - bottom))
        }
    }

    /// nil for a picture that is nothing but margin.
    private func margin(of image: Image, _ trim: ProcessingOptions.Trim) -> Margin? {
        let size = image.pixelSize
        var bitmap = image.bitmap
        var border = 0
        if let color = trim.color {
            // A frame in that colour: its corner is what the margin is compared with. Magenta stands for transparency.
            let frame = color == RGBAColor(red: 255, green: 0, blue: 255) ? RGBAColor.clear : color
            guard let framed = image.padded(by: EdgeInsets(all: 1), color: frame) else { return nil }
            (bitmap, border) = (framed.bitmap, 1)
        }
        guard let part = try? bitmap.partInsideMargin(tolerance: trim.threshold / 255) else { return nil }
        var margin = Margin(
            top: part.rows.lowerBound - border, left: part.columns.lowerBound - border,
            bottom: size.height + border - part.rows.upperBound, right: size.width + border - part.columns.upperBound)
        if trim.isEqualAcross {
            margin.left = min(margin.left, margin.right)
            margin.right = margin.left
        }
        if trim.isEqualDown {
            margin.top = min(margin.top, margin.bottom)
            margin.bottom = margin.top
        }
        return margin
    }
}
