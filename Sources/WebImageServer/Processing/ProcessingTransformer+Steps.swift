import WebImage
import WebImageCore
import WebImagePixels

// One step each: the picture itself where the options do not ask for it, nil where it fails. The pictures have one pixel for
// a point.

extension ProcessingTransformer {
    func turned(_ image: Image) -> Image? {
        options.quarterTurns == 0 ? image : image.rotated(by: -.pi / 2 * Double(options.quarterTurns))
    }

    func flipped(_ image: Image) -> Image? {
        guard options.flipsHorizontally || options.flipsVertically else { return image }
        return image.flipped(horizontal: options.flipsHorizontally, vertical: options.flipsVertically)
    }

    func turned(_ size: PixelSize) -> PixelSize {
        options.quarterTurns.isMultiple(of: 2) ? size : PixelSize(width: size.height, height: size.width)
    }

    func cropped(_ image: Image, _ geometry: ResultGeometry) -> Image? {
        image.part(geometry.crop, at: options.crop?.gravity ?? options.gravity, scale: 1)
    }

    func resized(_ image: Image, to size: PixelSize) -> Image? {
        guard size != image.pixelSize else { return image }
        return image.resized(
            to: PointSize(width: Double(size.width), height: Double(size.height)), scaleMode: .fill)
    }

    func cut(_ image: Image, _ geometry: ResultGeometry) -> Image? {
        image.part(geometry.cut, at: options.gravity, scale: geometry.scale)
    }

    func filtered(_ image: Image, _ scale: Double, _ cancellation: CancellationFlag?) -> Image? {
        var image = image
        if options.blur > 0 {
            guard let blurred = image.blurred(radius: options.blur * scale, cancellation: cancellation) else {
                return nil
            }
            image = blurred
        }
        if options.sharpen > 0 {
            guard
                let sharpened = image.sharpened(
                    radius: options.sharpen * scale, amount: 1, cancellation: cancellation)
            else { return nil }
            image = sharpened
        }
        return options.pixelate > 1 ? pixelated(image, side: max(1, Int(Double(options.pixelate) * scale))) : image
    }

    /// Squares of one colour each; those at the right and at the bottom are smaller.
    private func pixelated(_ image: Image, side: Int) -> Image? {
        let size = image.pixelSize
        let side = min(side, max(size.width, size.height))
        func count(_ length: Int) -> Double { Double((length + side - 1) / side) }
        let squares = PointSize(width: count(size.width), height: count(size.height))
        let whole = PointSize(width: squares.width * Double(side), height: squares.height * Double(side))
        return image.resized(to: squares, scaleMode: .fill, filter: .box)?
            .resized(to: whole, scaleMode: .fill, filter: .box)?
            .cropped(to: PointRect(x: 0, y: 0, width: Double(size.width), height: Double(size.height)))
    }

    func extended(_ image: Image, _ geometry: ResultGeometry) -> Image? {
        guard let extent = geometry.extent else { return image }
        let size = image.pixelSize
        let corner = extent.gravity.corner(of: size, in: extent.size, scale: geometry.scale)
        return image.padded(
            by: EdgeInsets(
                top: Double(corner.y), left: Double(corner.x),
                bottom: Double(extent.size.height - size.height - corner.y),
                right: Double(extent.size.width - size.width - corner.x)), color: margin)
    }

    func padded(_ image: Image, _ geometry: ResultGeometry) -> Image? {
        let padding = options.padding
        guard padding != ProcessingOptions.Padding() else { return image }
        func length(_ points: Int) -> Double { Double(geometry.pixels(of: points)) }
        return image.padded(
            by: EdgeInsets(
                top: length(padding.top), left: length(padding.left), bottom: length(padding.bottom),
                right: length(padding.right)), color: margin)
    }

    private var margin: RGBAColor { options.background ?? .clear }

    func flattened(_ image: Image) -> Image? {
        guard let color = options.background, !image.bitmap.isOpaque else { return image }
        return image.tinted(with: color, mode: .destinationOver)
    }
}

extension Image {
    /// A part by its size, at the place that a gravity says.
    fileprivate func part(_ size: PixelSize, at gravity: Gravity, scale: Double) -> Image? {
        guard size != pixelSize else { return self }
        let corner =
            gravity.anchor == .smart
            ? InterestingPart(of: self, size: size).corner : gravity.corner(of: size, in: pixelSize, scale: scale)
        return cropped(
            to: PointRect(
                x: Double(corner.x), y: Double(corner.y), width: Double(size.width), height: Double(size.height)))
    }
}
