import WebImageCore
import WebImagePixels

/// The decoding of one file to a bitmap: by libdeflate where possible, by libpng row by row otherwise.
struct PNGPixels {
    /// The file's chunks.
    let contents: PNGContents
    /// Whether rows have 16 bits a channel: only where the file has them and the result, or a conversion, needs them.
    let isDeep: Bool

    private let geometry: ThumbnailGeometry
    private let options: ImageDecodeOptions
    private let source: PixelSource

    init(_ contents: PNGContents, geometry: ThumbnailGeometry, options: ImageDecodeOptions) {
        self.contents = contents
        self.geometry = geometry
        self.options = options
        var source = PixelSource(size: contents.header.size, layout: .rgba16, isOpaque: !contents.hasAlpha)
        source.colors = options.convertsToSRGB ? contents.resolvedColors : nil
        isDeep =
            contents.header.bitDepth == 16 && PixelPlan(source: source, options: options).workingDepth == .sixteen
        if !isDeep { source.layout = .rgba }
        self.source = source
    }

    var assembler: PixelAssembler { PixelAssembler(source: source, geometry: geometry, options: options) }

    /// All of the picture.
    /// - Parameter usesLibraryOnly: Whether libpng decodes in any case.
    func decode(_ bytes: UnsafeRawBufferPointer, usesLibraryOnly: Bool = false) throws(WebImageError) -> Bitmap {
        let assembler = assembler
        if !usesLibraryOnly, let rows = try inflatedRows(bytes) {
            return try assembler.assembleRows { output throws(WebImageError) in
                while output.remaining > 0 { try output.withNext { rows.readRow(into: $0) } }
            }
        }
        let decompressor = try PNGDecompressor(bytes)
        try decompressor.start(isDeep: isDeep, expecting: source.size)
        let bitmap =
            contents.header.isInterlaced
            ? try decodeInterlaced(decompressor, into: assembler) : try decodeRows(decompressor, into: assembler)
        try decompressor.finish()
        return bitmap
    }

    private func inflatedRows(_ bytes: UnsafeRawBufferPointer) throws(WebImageError) -> PNGInflatedRows? {
        try options.checkCancellation()
        return PNGInflatedRows(bytes, header: contents.header, forThumbnail: geometry.resultSize != geometry.sourceSize)
    }

    private func decodeRows(
        _ decompressor: borrowing PNGDecompressor, into assembler: PixelAssembler
    ) throws(WebImageError) -> Bitmap {
        try assembler.assembleRows { rows throws(WebImageError) in
            while rows.remaining > 0 {
                try rows.withNext { row throws(WebImageError) in try decompressor.readRow(into: row) }
            }
        }
    }

    private func decodeInterlaced(
        _ decompressor: borrowing PNGDecompressor, into assembler: PixelAssembler
    ) throws(WebImageError) -> Bitmap {
        try assembler.assemblePicture { base, bytesPerRow throws(WebImageError) in
            try decompressor.readPasses(into: base, bytesPerRow: bytesPerRow, height: source.size.height) {
                () throws(WebImageError) in try options.checkCancellation()
            }
        }
    }
}
