import FoundationEssentials

/// What stands before the pixels of a BMP file: the information header of Windows (versions 1 to 5) or OS/2 (1 and 2),
/// the masks and the palette.
struct BMPHeader: Sendable {
    /// Columns and rows; an icon's, which count its mask too, are halved by its reader.
    var size: PixelSize
    /// Whether the first row in the file is the top one.
    let isTopDown: Bool
    /// Bits of one pixel; 0 for an embedded file.
    let bitsPerPixel: Int
    let compression: BMPCompression
    /// Where the channels of 16- and 32-bit pixels lie.
    let channels: BMPChannels
    let palette: BMPPalette
    /// From the beginning of the file.
    let pixelOffset: Int
    /// Where an ICC profile is said to lie; not checked against the file's end.
    let profileRange: Range<Int>?

    /// Bytes of the file header before the information header.
    private static let fileHeaderByteCount = 14

    /// Reads all that stands before the pixels.
    ///
    /// - Parameters:
    ///   - format: The file's, for errors: icons have bitmaps in them.
    ///   - start: Where the information header begins.
    ///   - pixelOffset: Where the file header says that the pixels begin; nil without a file header. One that lies within
    ///     the information header is not believed.
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
        // The size of the file and two words for the application: many writers leave nonsense there.
        try reader.skip(8)
        let offset = try reader.littleEndian(bytes: 4)
        try self.init(data, format: .bmp, at: Self.fileHeaderByteCount, pixelOffset: offset)
    }

    /// Bytes from one row to the next: rows are filled up to whole words of 32 bits.
    var bytesPerRow: Int { (size.width * bitsPerPixel + 31) / 32 * 4 }

    /// Whether a file of `byteCount` bytes has all rows; writers may leave out what fills up the last one.
    func hasAllRows(in byteCount: Int) -> Bool {
        let room = byteCount - pixelOffset - (size.width * bitsPerPixel + 7) / 8
        return room >= 0 && size.height - 1 <= room / bytesPerRow
    }

    /// Where the ICC profile lies; nil when there is none or it is not in the file.
    func profileRange(in byteCount: Int) -> Range<Int>? {
        profileRange.flatMap { $0.upperBound <= byteCount ? $0 : nil }
    }
}

/// How the pixels of a BMP file are stored.
enum BMPCompression: Sendable, Hashable {
    case none, runLength8, runLength4, runLength24, masks, huffman, jpeg, png

    /// Bits of a pixel that go with it.
    fileprivate var depths: Set<Int> {
        switch self {
        case .none: [1, 2, 4, 8, 16, 24, 32]
        case .masks: [16, 32]
        case .runLength8: [8]
        case .runLength4: [4]
        case .runLength24: [24]
        case .huffman: [1]
        // The specification wants 0, the depth of the file within.
        case .jpeg, .png: [0, 1, 4, 8, 16, 24, 32]
        }
    }
}
