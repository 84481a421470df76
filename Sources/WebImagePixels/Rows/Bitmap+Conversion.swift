import CPixels
import WebImageCore

extension Bitmap {
    /// The same picture in another pixel format; the bitmap itself where it has that format.
    ///
    /// Channels of 16 bits are rounded to 8, and those of 8 bits are multiplied by 257 for 16. Display P3 is converted to
    /// sRGB, and high dynamic range is tone-mapped to it, since only decoders produce them. Conversion to straight alpha
    /// cannot restore colours lost under low alpha. Any thread; takes about a millisecond per million pixels, and longer
    /// for other colours.
    ///
    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory.
    public func converted(to format: PixelFormat) throws(WebImageError) -> Bitmap {
        try converted(to: format, in: .sRGB)
    }

    /// The same picture in another pixel format and colour space; the bitmap itself where it has both.
    ///
    /// - Parameter target: sRGB, Display P3, or the bitmap's own colour space.
    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory.
    package func converted(to format: PixelFormat, in target: ColorSpace) throws(WebImageError) -> Bitmap {
        let changesColors = colorSpace.codedColors != target.codedColors
        guard format != self.format || changesColors else { return self }
        if format.isFloatingPoint || self.format.isFloatingPoint {
            return try convertedByFloats(to: format, in: target)
        }
        if format.depth == self.format.depth, !changesColors { return try withAlpha(of: format) }
        let source = PixelSource(
            size: size, layout: self.format.depth == .eight ? .rgba : .rgba16, isOpaque: isOpaque,
            colors: changesColors ? colorSpace.codedColors : nil)
        let colors: ColorSpace = !changesColors ? colorSpace : target == .asStored ? .sRGB : target
        let options = ImageDecodeOptions()
        let assembler = PixelAssembler(
            source: source, geometry: ThumbnailGeometry(storedSourceSize: size, orientation: .up, options: options),
            options: options, plan: PixelPlan(source: source, to: format, in: colors))
        return try assembler.assembleRows { rows throws(WebImageError) in
            for y in 0..<size.height { try rows.withNext { copyStraightRow(y, to: $0) } }
        }
    }

    /// Whether the pixels are in the usual form: 8 bits a channel, which stand for sRGB.
    package var isShallow: Bool { format.depth == .eight && !colorSpace.differsFromSRGB }

    /// The pixels in sRGB with 8 bits a channel and the same kind of alpha, for lossy encoders, drawing and effects, which
    /// support no more.
    ///
    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory.
    package func inEightBits() throws(WebImageError) -> Bitmap { try converted(to: format.with(.eight)) }

    /// The same integers with the other kind of alpha, row by row while the row is in the processor's cache.
    private func withAlpha(of format: PixelFormat) throws(WebImageError) -> Bitmap {
        try mapped(as: format) { source, strip in
            for y in strip.rows {
                let row = strip.row(y).assumingMemoryBound(to: UInt8.self)
                if format == .rgba8Premultiplied, !isOpaque {
                    webimage_copy_premultiplied(source.row(y).assumingMemoryBound(to: UInt8.self), row, size.width)
                    continue
                }
                row.update(from: source.row(y).assumingMemoryBound(to: UInt8.self), count: bytesPerRow)
                if isOpaque { continue }
                if format.isPremultiplied {
                    format.depth.premultiply(row, count: size.width)
                } else {
                    format.depth.unpremultiply(row, count: size.width)
                }
            }
            return isOpaque
        }
    }

    private func copyStraightRow(_ y: Int, to row: UnsafeMutablePointer<UInt8>) {
        withUnsafeBytes { pixels in
            guard let base = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            row.update(from: base + y * bytesPerRow, count: bytesPerRow)
        }
        if format.isPremultiplied && !isOpaque { format.depth.unpremultiply(row, count: size.width) }
    }
}
