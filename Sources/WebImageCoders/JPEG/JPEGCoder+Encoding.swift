import CPixels
import FoundationEssentials
import WebImageCore
import WebImagePixels

extension JPEGCoder {
    /// Whether `format` is JPEG.
    public func canEncode(_ format: ImageFormat) -> Bool { format == .jpeg }

    /// Encodes a baseline JPEG with optimised Huffman tables. Below a quality of 0.9 colour is stored at half the
    /// resolution (4:2:0). Transparent pixels are composited over `options.backgroundColor`.
    ///
    /// - Throws: ``WebImageError/Code/encodeFailed``: a side of more than 65,500 pixels, another format, no memory;
    ///   ``WebImageError/Code/cancelled``.
    public func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        try requireEncoder(of: format)
        let bitmap = try image.bitmap.limited(by: options).inEightBits()
        let metadata = options.embedsThumbnail ? try Self.metadata(withThumbnailOf: bitmap, options) : nil
        return try QualitySearch.encode(options) { quality throws(WebImageError) in
            try Self.encode(bitmap, quality: quality, options, metadata: metadata)
        }
    }

    /// - Parameter metadata: The content of an APP1 segment.
    private static func encode(
        _ bitmap: Bitmap, quality: Double, _ options: ImageEncodeOptions, metadata: Data?
    ) throws(WebImageError) -> Data {
        let compressor = try JPEGCompressor(
            size: bitmap.size, quality: max(1, Int((quality * 100).rounded())), hasFullChroma: quality >= 0.9)
        if let metadata { try compressor.writeMetadata(metadata) }
        let flattener = RowFlattener(bitmap: bitmap, background: options.backgroundColor)
        try bitmap.withUnsafeBytes { bytes throws(WebImageError) in
            guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
            for y in 0..<bitmap.size.height {
                try options.cancellation?.check()
                try flattener.withOpaqueRow(base + y * bitmap.bytesPerRow) { row throws(WebImageError) in
                    try compressor.write(row)
                }
            }
        }
        return try compressor.finish()
    }

    /// EXIF with a thumbnail. The EXIF standard (§4.5.5) limits it to 160 × 120; like cameras, this function allows the
    /// same length for portrait pictures.
    private static func metadata(
        withThumbnailOf bitmap: Bitmap, _ options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        var reduction = ImageEncodeOptions()
        reduction.maxPixelSize = PixelSize(width: 160, height: 160)
        let small = try bitmap.limited(by: reduction)
        let thumbnail = try encode(small, quality: 0.75, options, metadata: nil)
        return EXIFThumbnail.segment(around: thumbnail)
    }
}

/// Composites translucent rows over a background colour, for formats without alpha.
private struct RowFlattener {
    let bitmap: Bitmap
    /// Red, green and blue in the three low bytes.
    let background: UInt32

    init(bitmap: Bitmap, background: RGBAColor) {
        self.bitmap = bitmap
        self.background = UInt32(background.red) | UInt32(background.green) << 8 | UInt32(background.blue) << 16
    }

    func withOpaqueRow(
        _ row: UnsafePointer<UInt8>, _ body: (UnsafePointer<UInt8>) throws(WebImageError) -> Void
    ) throws(WebImageError) {
        guard !bitmap.isOpaque else { return try body(row) }
        guard let flattened = PixelBuffer(byteCount: bitmap.bytesPerRow) else {
            throw .notEncoded(.jpeg, "out of memory")
        }
        webimage_composite(
            row, bitmap.format.isPremultiplied, background, flattened.base, bitmap.size.width)
        try body(flattened.base)
    }
}
