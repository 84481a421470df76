import WebImageCore

/// The IHDR chunk (PNG §11.2.1).
struct PNGHeader: Sendable, Hashable {
    enum ColorType: UInt8, Sendable {
        case grayscale = 0
        case rgb = 2
        case palette = 3
        case grayscaleAlpha = 4
        case rgba = 6
    }

    var size: PixelSize
    /// Bits of one sample, or of one palette index.
    var bitDepth: Int
    var colorType: ColorType
    /// Adam7: seven passes over the whole picture.
    var isInterlaced: Bool

    /// The maximum side, as in libpng: a longer row would take gigabytes.
    static let maximumSide = 1_000_000

    init(_ reader: inout ByteReader) throws(WebImageError) {
        size = PixelSize(width: try reader.bigEndian(bytes: 4), height: try reader.bigEndian(bytes: 4))
        bitDepth = Int(try reader.byte())
        guard let colorType = ColorType(rawValue: try reader.byte()) else {
            throw .damaged(.png, "its colour type is unknown")
        }
        self.colorType = colorType
        let compression = try reader.byte()
        let filter = try reader.byte()
        let interlace = try reader.byte()
        isInterlaced = interlace == 1
        guard !size.isEmpty, size.width < 1 << 31, size.height < 1 << 31 else {
            throw .damaged(.png, "its size is \(size)")
        }
        guard colorType.bitDepths.contains(bitDepth), compression == 0, filter == 0, interlace <= 1 else {
            throw .damaged(.png, "its header combines values that PNG does not allow")
        }
    }

    var isGray: Bool { colorType == .grayscale || colorType == .grayscaleAlpha }
    var hasAlphaChannel: Bool { colorType == .grayscaleAlpha || colorType == .rgba }

    /// Palette colours have eight bits for any index depth.
    var bitsPerChannel: Int { colorType == .palette ? 8 : bitDepth }
}

extension PNGHeader.ColorType {
    /// PNG §11.2.1, table 12.
    fileprivate var bitDepths: [Int] {
        switch self {
        case .grayscale: [1, 2, 4, 8, 16]
        case .palette: [1, 2, 4, 8]
        case .rgb, .grayscaleAlpha, .rgba: [8, 16]
        }
    }
}
