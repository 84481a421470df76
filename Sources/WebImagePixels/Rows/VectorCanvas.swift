import CPixels
import WebImageCore

/// The canvas for vector graphics: cairo's pixels, words of premultiplied alpha, red, green and blue, which are
/// converted to a bitmap.
package struct VectorCanvas {
    private let size: PixelSize

    /// The longest side of cairo's surfaces.
    package static let maximumSide = 32_767

    /// - Throws: ``WebImageError/Code/limitExceeded``, before memory is allocated.
    package init(size: PixelSize, format: ImageFormat, limits: ImageLimits) throws(WebImageError) {
        try limits.check(format, source: size, held: size)
        guard max(size.width, size.height) <= Self.maximumSide else {
            throw WebImageError(
                .limitExceeded, stage: .decode, kind: .policy,
                reason: "the picture would be \(size) pixels and \(format) is drawn up to \(Self.maximumSide) a side; "
                    + "ask for a thumbnail")
        }
        self.size = size
    }

    /// A picture of shapes, drawn at the very size that is asked for, which may be larger than its own.
    ///
    /// - Parameters:
    ///   - size: The picture's own.
    ///   - body: Draws on transparent pixels, so that the picture fills them.
    package static func image(
        of format: ImageFormat, size: PixelSize, options: ImageDecodeOptions,
        _ body: (
            _ rows: UnsafeMutablePointer<UInt8>, _ bytesPerRow: Int, _ size: PixelSize
        ) throws(WebImageError) -> Void
    ) throws(WebImageError) -> Image {
        let geometry = ThumbnailGeometry(storedSourceSize: size, orientation: .up, mayEnlarge: true, options: options)
        let canvas = try VectorCanvas(size: geometry.outputSize, format: format, limits: options.limits)
        try options.checkCancellation()
        let bitmap = try canvas.draw(options: options) { rows, bytesPerRow throws(WebImageError) in
            try body(rows, bytesPerRow, geometry.outputSize)
        }
        try options.checkCancellation()
        return geometry.makeVectorImage(bitmap, of: format, options: options)
    }

    /// Lets `body` draw on transparent pixels, four bytes each whatever the options ask for.
    package func draw(
        options: ImageDecodeOptions,
        _ body: (_ rows: UnsafeMutablePointer<UInt8>, _ bytesPerRow: Int) throws(WebImageError) -> Void
    ) throws(WebImageError) -> Bitmap {
        let format = options.pixelFormat.with(.eight)
        let bitmap = try Bitmap(size: size, format: format) { rows, bytesPerRow throws(WebImageError) in
            let pixels = rows.assumingMemoryBound(to: UInt8.self)
            pixels.clear(count: bytesPerRow * size.height)
            try body(pixels, bytesPerRow)
            webimage_swap_red_and_blue(pixels, size.area)
            if webimage_is_opaque(pixels, size.area) { return true }
            if !format.isPremultiplied { webimage_unpremultiply(pixels, size.area) }
            return false
        }
        return try bitmap.converted(to: options.pixelFormat)
    }
}

extension PixelSize {
    /// The size in pixels for a drawing of `width` × `height`: rounded up, so that nothing is clipped. nil when a side
    /// is not a positive number.
    ///
    /// - Parameter sliver: The part of a pixel that is clipped nevertheless: lengths in other units are slightly too long
    ///   after conversion.
    package init?(drawing width: Double, _ height: Double, sliver: Double = 0.001) {
        guard width > 0, height > 0 else { return nil }
        let longest = min(max(width, height), .greatestFiniteMagnitude)
        // A longer drawing gets a size above every limit, with the same proportions and without overflow.
        let scale = min(1, Self.longestDrawing / longest)
        let sides = [width, height].map { (min($0, longest) * scale - sliver).rounded(.up) }
        self.init(width: max(1, Int(sides[0])), height: max(1, Int(sides[1])))
    }

    private static let longestDrawing = 0x1p31
}
