import WebImageCore
import WebImagePixels

extension ItemGeometry {
    /// The picture in pixels, as a person sees it.
    package var seenSize: PixelSize { orientation.apply(to: area.size) }

    /// The geometry of the picture under `options`.
    package func thumbnail(frameCount: Int = 1, _ options: ImageDecodeOptions) -> ThumbnailGeometry {
        ThumbnailGeometry(
            storedSourceSize: area.size, orientation: orientation, frameCount: frameCount, options: options)
    }

    /// Checks the size of what a library decodes, which is all of the stored pixels.
    ///
    /// - Throws: ``WebImageError/Code/limitExceeded``, naming the limit.
    package func check(_ format: ImageFormat, _ limits: ImageLimits) throws(WebImageError) {
        try limits.check(format, source: storedSize, held: storedSize)
    }
}

extension PixelAssembler {
    /// For libraries that deliver all stored pixels, of which a part is seen.
    ///
    /// - Parameters:
    ///   - row: The whole row of that number, straight or premultiplied RGBA.
    ///   - finish: Makes the pixels of a row's part what the source is said to have.
    package func assembleRows(
        of area: PixelArea, depth: PixelDepth, row: (Int) throws(WebImageError) -> UnsafePointer<UInt8>,
        finish: (_ part: UnsafeMutablePointer<UInt8>, _ pixelCount: Int) -> Void = { _, _ in }
    ) throws(WebImageError) -> Bitmap {
        let (start, count) = (area.columns.lowerBound * depth.bytesPerPixel, area.columns.count * depth.bytesPerPixel)
        return try assembleRows { rows throws(WebImageError) in
            for y in area.rows {
                let whole = try row(y)
                try rows.withNext { part in
                    part.update(from: whole + start, count: count)
                    finish(part, area.columns.count)
                }
            }
        }
    }
}
