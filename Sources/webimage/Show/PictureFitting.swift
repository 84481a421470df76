import WebImage

/// Brings pictures to the size in which they are drawn.
struct PictureFitting: Sendable {
    let fit: ContentFit
    /// The place in pixels.
    let box: PixelSize
    /// How many pixels of the screen a picture's own pixel takes at most where it is not to be enlarged.
    let pixel: Int

    init(_ fit: ContentFit, in grid: PictureGrid, on screen: PictureScreen) {
        self.fit = fit
        box = grid.pixelSize(on: screen)
        // A character shows little more than a pixel.
        pixel = screen.graphics == .characters ? screen.cell.width : 1
    }

    /// The size to decode at; nil for the whole picture, where its proportions have to be known first.
    var decodeBox: PixelSize? { fit == .contain || fit == .scaleDown ? box : nil }

    /// The picture as it is drawn: premultiplied, of 8 bits a channel, and no larger than the place.
    ///
    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory.
    func fitted(_ image: Image) throws(WebImageError) -> Bitmap {
        let bitmap = try image.bitmap.converted(to: .rgba8Premultiplied)
        let size = size(of: bitmap.size)
        guard size != bitmap.size else { return bitmap }
        let target = PointSize(width: Double(size.width), height: Double(size.height))
        let mode: ImageScaleMode = fit == .cover ? .aspectFill : .fill
        guard let resized = Image(bitmap: bitmap).resized(to: target, scaleMode: mode) else {
            throw .outOfMemory(for: size)
        }
        return resized.bitmap
    }

    private func size(of picture: PixelSize) -> PixelSize {
        guard fit == .contain || fit == .scaleDown else { return box }
        let ratios = (Double(box.width) / Double(picture.width), Double(box.height) / Double(picture.height))
        let factor = min(ratios.0, ratios.1, fit == .contain ? .infinity : Double(pixel))
        return PixelSize(
            width: min(box.width, max(1, Int((Double(picture.width) * factor).rounded()))),
            height: min(box.height, max(1, Int((Double(picture.height) * factor).rounded()))))
    }
}
