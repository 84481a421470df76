import FoundationEssentials
import WebImageCore
import WebImagePixels

/// Turns the pixels behind a BMP header into a bitmap.
struct BMPDecoder {
    private let header: BMPHeader
    private let data: Data
    private let format: ImageFormat

    /// - Parameters:
    ///   - data: The header's file.
    ///   - format: The file's format, for errors.
    init(_ header: BMPHeader, data: Data, format: ImageFormat) {
        self.header = header
        self.data = data
        self.format = format
    }

    /// Decodes to the size in `geometry`.
    func decode(geometry: ThumbnailGeometry, options: ImageDecodeOptions) throws(WebImageError) -> Bitmap {
        switch header.compression {
        case .none, .masks:
            try options.limits.check(.bmp, source: header.size, held: geometry.outputSize)
            return try decodeRows(assembler(hasAlpha: header.channels.hasAlpha, geometry, options))
        case .runLength4, .runLength8, .runLength24:
            try options.limits.check(.bmp, source: header.size, held: header.size)
            return try decodeRuns(assembler(hasAlpha: true, geometry, options), options: options)
        case .huffman, .jpeg, .png:
            throw .damaged(format, "its compression, \(header.compression), is not decoded")
        }
    }

    private func assembler(
        hasAlpha: Bool, _ geometry: ThumbnailGeometry, _ options: ImageDecodeOptions
    ) -> PixelAssembler {
        let profile =
            options.convertsToSRGB
            ? header.profileRange(in: data.count).flatMap {
                ColorProfile(bytes: data[in: $0]).forPixels(areGray: false)
            } : nil
        let source = PixelSource(size: header.size, isOpaque: !hasAlpha, profile: profile)
        return PixelAssembler(source: source, geometry: geometry, options: options)
    }

    private func decodeRows(_ assembler: PixelAssembler) throws(WebImageError) -> Bitmap {
        guard header.hasAllRows(in: data.count) else { throw .truncated(format) }
        return try data.bytes.withUnsafeBytes { bytes throws(WebImageError) in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { throw .truncated(format) }
            let pixels = BMPRows(header, bytes: base)
            return try assembler.assembleRows { rows throws(WebImageError) in
                for y in 0..<header.size.height { try rows.withNext { row in pixels.unpack(y, to: row) } }
            }
        }
    }

    private func decodeRuns(
        _ assembler: PixelAssembler, options: ImageDecodeOptions
    ) throws(WebImageError) -> Bitmap {
        try assembler.assemblePicture { base, bytesPerRow throws(WebImageError) in
            let count = header.size.area
            base.clear(count: bytesPerRow * header.size.height)
            try base.withMemoryRebound(to: UInt32.self, capacity: count) { words throws(WebImageError) in
                var pixels = UnsafeMutableBufferPointer(start: words, count: count).mutableSpan
                var runs = BMPRunLengths(header, data: data, format: format)
                try runs.draw(on: &pixels) { () throws(WebImageError) in try options.checkCancellation() }
            }
        }
    }
}
