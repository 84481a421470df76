import CJPEG
import WebImageCore
import WebImagePixels

/// The way from the rows of a JPEG file to a picture: the same for a complete and an incomplete file.
struct JPEGDecodePlan {
    let assembler: PixelAssembler
    /// Whether the decoder delivers every stored pixel.
    let isFullScale: Bool
    /// The number of stored pixels.
    let pixelCount: Int

    /// The precision of a progressive file's blocks that suffices for the result; nil for all.
    let sufficientPrecision: webimage_jpeg_precision?

    private let geometry: ThumbnailGeometry
    private let options: ImageDecodeOptions

    /// Sets the decoder's scale, and checks the limits before pixels are allocated.
    init(
        _ header: JPEGHeader, of decompressor: JPEGDecompressor, options: ImageDecodeOptions
    ) throws(WebImageError) {
        geometry = ThumbnailGeometry(
            storedSourceSize: header.size, orientation: header.orientation, options: options)
        let source = try decompressor.setScale(for: geometry.storedReductionTarget, of: header)
        isFullScale = source.size == header.size
        pixelCount = header.size.area
        sufficientPrecision = options.decodesPreview ? Self.precision(for: source.size, of: header) : nil
        try options.limits.check(.jpeg, source: header.size, held: header.hasMultipleScans ? header.size : source.size)
        assembler = PixelAssembler(source: source, geometry: geometry, options: options)
        self.options = options
    }

    /// With libjpeg's default scans this is the first, the fifth and the sixth of ten for 1/8, 2/8 and 4/8: for 12
    /// megapixels at least 45 dB from the exact result (`make bench ONLY=jpeg-preview-quality-300`, also 1000 and
    /// 2000).
    private static func precision(for size: PixelSize, of header: JPEGHeader) -> webimage_jpeg_precision? {
        if size.width * 8 < header.size.width + 8 { return WEBIMAGE_JPEG_AVERAGES }
        if size.width * 4 < header.size.width + 4 { return WEBIMAGE_JPEG_ALL_ROUGHLY }
        return size.width < header.size.width ? WEBIMAGE_JPEG_NEARLY_ALL : nil
    }

    /// Reads all rows, which must be available.
    func readRows(of decompressor: JPEGDecompressor) throws(WebImageError) -> Bitmap {
        try assembler.assembleRows { rows throws(WebImageError) in
            while rows.remaining > 0 {
                try rows.withNext { row throws(WebImageError) in
                    guard try decompressor.read(into: row) else { throw .truncated(.jpeg) }
                }
            }
        }
    }

    /// Reads all rows in their state after a complete scan.
    func readPass(
        of decompressor: JPEGDecompressor, afterScan scan: Int, smoothsBlocks: Bool
    ) throws(WebImageError) -> Bitmap {
        try decompressor.withPass(afterScan: scan, smoothsBlocks: smoothsBlocks) { () throws(WebImageError) in
            try readRows(of: decompressor)
        }
    }

    func makeImage(_ bitmap: Bitmap, isIncremental: Bool = false) -> Image {
        geometry.makeImage(bitmap, of: .jpeg, isIncremental: isIncremental, options: options)
    }
}
