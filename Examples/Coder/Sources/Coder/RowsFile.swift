import Foundation
import WebImage

extension RowsCoder {
    func openRegions(
        of file: RandomAccessFile, limits: ImageLimits, in colorSpace: ColorSpace
    ) throws(WebImageError) -> (any RegionImageFile)? {
        let header = try RowsHeader(try file.bytes(at: 0, count: RowsHeader.byteCount))
        try limits.check(Self.format, source: header.size)
        return RowsFile(file: file, header: header, colorSpace: colorSpace)
    }
}

/// A file that is read where it is: any part of it has a place of its own.
struct RowsFile: PartImageFile {
    let file: RandomAccessFile
    let header: RowsHeader
    let colorSpace: ColorSpace

    var format: ImageFormat { RowsCoder.format }
    var storedSize: PixelSize { header.size }
    var orientation: ImageOrientation { .up }
    var rowReduction: Int { 4 }  // what is finer than a quarter is decoded by regions

    func decode(_ part: PixelRegion, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        try options.image(of: PictureRows(size: part.size, format: format)) { y, row throws(WebImageError) in
            let offset = header.offset(ofRow: part.rows.lowerBound + y) + part.columns.lowerBound * 4
            let bytes = try file.bytes(at: offset, count: part.columns.count * 4)
            guard bytes.count == row.count else { throw .damaged("rows are missing") }
            row.withUnsafeMutableBytes { $0.copyBytes(from: bytes) }
        }
    }
}
