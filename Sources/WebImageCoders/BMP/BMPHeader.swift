import FoundationEssentials
import WebImageCore

/// All data before the pixels of a BMP file: the information header of Windows (versions 1 to 5) or OS/2 (1 and 2), the
/// masks and the palette.
struct BMPHeader: Sendable {
    /// Columns and rows; for an icon, whose height includes its mask, the icon's reader halves it.
    var size: PixelSize
    /// Whether the first row in the file is the top one.
    let isTopDown: Bool
    /// Bits of one pixel; 0 for an embedded file.
    let bitsPerPixel: Int
    let compression: BMPCompression
    /// The positions of the channels of 16- and 32-bit pixels.
    let channels: BMPChannels
    let palette: BMPPalette
    /// From the beginning of the file.
    let pixelOffset: Int
    /// The range of the ICC profile by the header; it may lie beyond the end of the file.
    let profileRange: Range<Int>?

    /// Bytes of the file header before the information header.
    private static let fileHeaderByteCount = 14

    /// Reads all data before the pixels.
    ///
    /// - Parameters:
    ///   - format: The file's format, for errors: icons contain bitmaps.
    ///   - start: The offset of the information header.
    ///   - pixelOffset: The offset of the pixels in the file header; nil without a file header. An offset within the
    ///     information header is ignored.
    /// - Throws: ``WebImageError/Code/badImageData`` and ``WebImageError/Code/truncatedImageData``.
    init(_ data: Data, format: ImageFormat, at start: Int, pixelOffset: Int?) throws(WebImageError) {
        let fields = try BMPHeaderFields(data, format: format, at: start)
        size = try fields.size(format: format)
        isTopDown = fields.height < 0
        bitsPerPixel = fields.bitsPerPixel
        compression = try fields.compression(format: format)
        var reader = ByteReader(data, format: format, range: start + fields.byteCount..<data.count)
        channels = try BMPChannels(fields, masksAfterHeader: &reader)
        let paletteStart = reader.offset
        let believed = pixelOffset.flatMap { $0 >= paletteStart ? $0 : nil }
        palette = try BMPPalette(&reader, fields, room: believed.map { $0 - paletteStart }, format: format)
        self.pixelOffset = believed ?? reader.offset
        profileRange = fields.profileRange.map { start + $0.lowerBound..<start + $0.upperBound }
        guard compression.depths.contains(bitsPerPixel) else {
            throw .damaged(format, "its compression is \(compression) and its pixels have \(bitsPerPixel) bits")
        }
    }

    /// Reads the file header too.
    init(file data: Data) throws(WebImageError) {
        var reader = ByteReader(data, format: .bmp)
        guard try reader.bytes(count: 2).elementsEqual("BM".utf8) else {
            throw .damaged(.bmp, "it has no BMP signature")
        }
        // The size of the file and two words for the application, often invalid.
        try reader.skip(8)
        let offset = try reader.littleEndian(bytes: 4)
        try self.init(data, format: .bmp, at: Self.fileHeaderByteCount, pixelOffset: offset)
    }

    /// The distance between rows: rows are padded to 32-bit words.
    var bytesPerRow: Int { (size.width * bitsPerPixel + 31) / 32 * 4 }

    /// Whether a file of `byteCount` bytes has all rows; writers may omit the padding of the last one.
    func hasAllRows(in byteCount: Int) -> Bool {
        let room = byteCount - pixelOffset - (size.width * bitsPerPixel + 7) / 8
        return room >= 0 && size.height - 1 <= room / bytesPerRow
    }

    /// The range of the ICC profile; nil when there is none or it is not within the file.
    func profileRange(in byteCount: Int) -> Range<Int>? {
        profileRange.flatMap { $0.upperBound <= byteCount ? $0 : nil }
    }
}

/// How the pixels of a BMP file are stored.
enum BMPCompression: Sendable, Hashable {
    case none, runLength8, runLength4, runLength24, masks, huffman, jpeg, png

    /// The bits per pixel that the compression allows.
    fileprivate var depths: Set<Int> {
        switch self {
        case .none: [1, 2, 4, 8, 16, 24, 32]
        case .masks: [16, 32]
        case .runLength8: [8]
        case .runLength4: [4]
        case .runLength24: [24]
        case .huffman: [1]
        // The specification requires 0; writers use the depth of the embedded file.
        case .jpeg, .png: [0, 1, 4, 8, 16, 24, 32]
        }
    }
}
