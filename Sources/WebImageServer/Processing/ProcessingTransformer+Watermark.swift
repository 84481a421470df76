import WebImage
import WebImageCore
import WebImagePixels

extension ProcessingTransformer {
    /// The picture with the watermark over it.
    ///
    /// - Parameter scale: Pixels of a point.
    func marked(_ image: Image, _ scale: Double) -> Image? {
        guard let wanted = options.watermark, let watermark else { return image }
        guard let mark = sized(watermark, wanted, for: image) else { return nil }
        switch wanted.position {
        case .at(let gravity):
            let size = image.pixelSize
            let corner = gravity.freeCorner(of: mark.pixelSize, in: size, scale: scale)
            return image.overlaid(with: mark, at: .corner(corner), opacity: wanted.opacity)
        case .tiled(let x, let y):
            return tiled(
                image, mark, wanted.opacity, x.pixels(of: image.pixelSize.width, scale: scale),
                y.pixels(of: image.pixelSize.height, scale: scale))
        }
    }

    private func sized(_ watermark: Image, _ wanted: ProcessingOptions.Watermark, for image: Image) -> Image? {
        guard let share = wanted.scale else { return watermark }
        let (size, own) = (image.pixelSize, watermark.pixelSize)
        let factor = min(
            Double(size.width) * share / Double(own.width), Double(size.height) * share / Double(own.height))
        func side(_ length: Int) -> Double { max(1, (Double(length) * factor).rounded()) }
        // One that is larger than the picture shows a part of itself.
        guard side(own.width) * side(own.height) <= Double(max(size.area, own.area)) * 4 else { return nil }
        return watermark.resized(
            to: PointSize(width: side(own.width), height: side(own.height)), scaleMode: .fill)
    }

    /// From the upper left corner on. A negative distance that would keep a tile from moving on counts as none.
    private func tiled(_ image: Image, _ mark: Image, _ opacity: Double, _ gapX: Int, _ gapY: Int) -> Image? {
        let (size, own) = (image.pixelSize, mark.pixelSize)
        let stepX = own.width + max(gapX, 1 - own.width)
        let stepY = own.height + max(gapY, 1 - own.height)
        guard
            let row = mark.spread(every: stepX, to: size.width, along: \.width),
            let sheet = row.spread(every: stepY, to: size.height, along: \.height)
        else { return nil }
        return image.overlaid(with: sheet, at: .topLeft, opacity: opacity)
    }
}

extension Image {
    /// Copies side by side until they reach `length`, in steps that double.
    fileprivate func spread(every step: Int, to length: Int, along side: KeyPath<PixelSize, Int>) -> Image? {
        let isAcross = side == \PixelSize.width
        var (image, reach) = (self as Image, step)
        while reach < length {
            let more = reach
            let insets = isAcross ? EdgeInsets(right: Double(more)) : EdgeInsets(bottom: Double(more))
            guard let canvas = image.padded(by: insets),
                let next = canvas.overlaid(
                    with: image, at: .corner(isAcross ? (more, 0) : (0, more)))
            else { return nil }
            (image, reach) = (next, reach * 2)
        }
        return image
    }
}

extension OverlayPlacement {
    fileprivate static func corner(_ corner: (x: Int, y: Int)) -> OverlayPlacement {
        OverlayPlacement(
            anchor: UnitPoint(x: 0, y: 0), offset: PointSize(width: Double(corner.x), height: Double(corner.y)))
    }
}
