import FoundationEssentials

/// JPEG: baseline and progressive, gray, colour and CMYK, by libjpeg-turbo.
///
/// A thumbnail is decoded at a half, a quarter or an eighth of the size, which skips most of the work and never holds
/// the whole picture (progressive files excepted), and then resampled exactly.
public struct JPEGCoder: ImageCoder {
    /// A coder; it has no settings and no state.
    public init() {}

    /// Whether the bytes begin as a JPEG file does.
    public func canDecode(_ data: Data) -> Bool { ImageFormat(sniffing: data) == .jpeg }

    /// Reads the header; see ``ImageCoder/properties(of:isComplete:)``.
    public func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try data.bytes.withUnsafeBytes { bytes throws(WebImageError) in
            try JPEGDecompressor(bytes: bytes, isComplete: isComplete)?.header.properties
        }
    }

    /// Decodes a whole file; see ``ImageCoder/decode(_:options:)``.
    ///
    /// - Throws: ``WebImageError/Code/truncatedImageData`` for a file that lacks part of its picture: the missing part
    ///   is never filled with gray. Damage that leaves no part missing is tolerated, as browsers do.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        try data.bytes.withUnsafeBytes { bytes throws(WebImageError) in
            guard let decompressor = try JPEGDecompressor(bytes: bytes, isComplete: true) else {
                throw .truncated(.jpeg)
            }
            return try decode(decompressor, options: options)
        }
    }

    private func decode(
        _ decompressor: JPEGDecompressor, options: ImageDecodeOptions
    ) throws(WebImageError) -> Image {
        let header = decompressor.header
        let geometry = ThumbnailGeometry(
            storedSourceSize: header.size, orientation: header.orientation, options: options)
        let source = try decompressor.setScale(for: geometry.storedOutputSize)
        try options.limits.check(source: header.size, held: header.hasMultipleScans ? header.size : source.size)

        let assembler = PixelAssembler(source: source, geometry: geometry, options: options)
        let bitmap = try assembler.assembleRows { rows throws(WebImageError) in
            try decompressor.prepareRows(options)
            while rows.remaining > 0 {
                try rows.withNext { row throws(WebImageError) in try decompressor.read(into: row) }
            }
        }
        return Image(bitmap: bitmap, scale: options.scaleFactor, metadata: geometry.metadata(of: .jpeg))
    }
}
