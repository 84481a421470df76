import CTIFF
import WebImageCore
import WebImagePixels

/// Decodes pictures that are not stored row by row: tiles, separate planes, and formats that libtiff converts. Holds
/// the rows of one band of blocks.
struct TIFFBlocks {
    private let picture: TIFFPicture
    private let header: webimage_tiff_header
    private let depth: PixelDepth
    /// The columns of the blocks that are decoded, from the beginning of a block on.
    private let columns: Range<Int>
    /// The pixels of a band.
    private let band: PixelBuffer
    /// The samples of one block, plane after plane, or its converted pixels.
    private let block: PixelBuffer

    /// - Parameter columns: The columns that are needed; nil for all.
    init(
        _ picture: TIFFPicture, header: webimage_tiff_header, depth: PixelDepth, columns: Range<Int>? = nil
    ) throws(WebImageError) {
        let first = columns.map { $0.lowerBound / Int(header.block_width) * Int(header.block_width) } ?? 0
        self.columns = first..<(columns?.upperBound ?? picture.size.width)
        self.picture = picture
        self.header = header
        self.depth = depth
        let bandByteCount = self.columns.count * Int(header.block_height) * depth.bytesPerPixel
        guard let band = PixelBuffer(byteCount: bandByteCount),
            let block = PixelBuffer(byteCount: Self.blockByteCount(picture, header))
        else { throw .outOfMemory(for: picture.size) }
        self.band = band
        self.block = block
    }

    /// Whether a picture needs this decoder.
    static func areNeeded(for picture: TIFFPicture, header: webimage_tiff_header) -> Bool {
        if case .converted = picture.colors { return true }
        return header.is_tiled || header.is_planar
    }

    /// The memory needed beside the result, as a size in pixels.
    static func heldSize(_ picture: TIFFPicture, header: webimage_tiff_header, depth: PixelDepth) -> PixelSize {
        let rows = Int(header.block_height) * depth.bytesPerPixel / 4
        let blockRows = (blockByteCount(picture, header) / 4 + picture.size.width - 1) / picture.size.width
        return PixelSize(width: picture.size.width, height: rows + blockRows)
    }

    /// Delivers all rows.
    func decode(
        _ reader: borrowing TIFFReader, into rows: PixelRows, options: ImageDecodeOptions
    ) throws(WebImageError) {
        let all = PixelRegion(picture.size)
        try decode(all, reader, into: rows, options: options)
    }

    /// Delivers the rows of a region, within the columns.
    func decode(
        _ region: PixelRegion, _ reader: borrowing TIFFReader, into rows: PixelRows, options: ImageDecodeOptions
    ) throws(WebImageError) {
        let height = Int(header.block_height)
        let first = region.rows.lowerBound / height * height
        let start = (region.columns.lowerBound - columns.lowerBound) * depth.bytesPerPixel
        for y in stride(from: first, to: region.rows.upperBound, by: height) {
            let count = min(height, picture.size.height - y)
            for x in stride(from: columns.lowerBound, to: columns.upperBound, by: Int(header.block_width)) {
                try options.checkCancellation()
                try decodeBlock(reader, x: x, y: y, rowCount: count)
            }
            for index in 0..<count where region.rows.contains(y + index) {
                try rows.withNext { row in
                    row.update(from: bandRow(index) + start, count: region.columns.count * depth.bytesPerPixel)
                }
            }
        }
    }

    private func decodeBlock(
        _ reader: borrowing TIFFReader, x: Int, y: Int, rowCount: Int
    ) throws(WebImageError) {
        let columnCount = min(Int(header.block_width), columns.upperBound - x)
        if case .converted = picture.colors {
            try reader.readConvertedBlock(x: x, y: y, into: block)
            copyConverted(x: x, columnCount: columnCount, rowCount: rowCount)
            return
        }
        let planeByteCount = header.is_planar ? Int(header.block_byte_count) : 0
        for plane in 0..<(header.is_planar ? neededPlanes : 1) {
            try reader.readBlock(x: x, y: y, plane: plane, into: block.base + plane * planeByteCount)
        }
        let unpacker = TIFFRowUnpacker(picture, header: header, depth: depth)
        for index in 0..<rowCount {
            unpacker.unpack(
                block.base + index * Int(header.block_row_byte_count), planeByteCount: planeByteCount,
                to: bandRow(index) + (x - columns.lowerBound) * depth.bytesPerPixel, count: columnCount)
        }
    }

    /// libtiff's rows are in reverse order; a short strip starts with its own last row, a tile with the last row of the
    /// full tile.
    private func copyConverted(x: Int, columnCount: Int, rowCount: Int) {
        let stored = header.is_tiled ? Int(header.block_height) : rowCount
        for index in 0..<rowCount {
            let row = bandRow(index) + (x - columns.lowerBound) * 4
            row.update(
                from: block.base + (stored - 1 - index) * Int(header.block_width) * 4, count: columnCount * 4)
            if picture.isPremultiplied { webimage_tiff_unassociate(row, columnCount) }
        }
    }

    private func bandRow(_ index: Int) -> UnsafeMutablePointer<UInt8> {
        band.base + index * bytesPerRow
    }

    private var bytesPerRow: Int { columns.count * depth.bytesPerPixel }

    private var neededPlanes: Int { Self.neededPlanes(picture) }

    /// Extra samples of unknown meaning are not decoded.
    private static func neededPlanes(_ picture: TIFFPicture) -> Int {
        picture.colorCount + (picture.hasAlphaSample ? 1 : 0)
    }

    /// Saturates instead of overflowing, since directories may lie.
    private static func blockByteCount(_ picture: TIFFPicture, _ header: webimage_tiff_header) -> Int {
        if case .converted = picture.colors {
            return PixelSize(width: Int(header.block_width) * 4, height: Int(header.block_height)).area
        }
        let planeCount = header.is_planar ? neededPlanes(picture) : 1
        return PixelSize(width: Int(clamping: header.block_byte_count), height: planeCount).area
    }
}
