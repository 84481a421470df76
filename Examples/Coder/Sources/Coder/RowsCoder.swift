import Foundation
import WebImage

/// Pictures of any size: "ROWS", then width, height and the number of frames as four bytes each, the lowest first, then the
/// rows of each frame as RGBA.
struct RowsCoder: ImageCoder {
    static let format = ImageFormat(rawValue: 1001)

    func canDecode(_ data: Data) -> Bool { data.starts(with: Array("ROWS".utf8)) }

    /// A load's crop or reduction begins in the decode.
    func decodesRows(of format: ImageFormat) -> Bool { format == Self.format }

    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        guard isComplete || data.count >= RowsHeader.byteCount else { return nil }
        let header = try RowsHeader([UInt8](data.prefix(RowsHeader.byteCount)))
        return ImageProperties(
            format: Self.format, pixelSize: header.size, frameCount: header.frameCount, hasAlpha: true)
    }

    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        let header = try RowsHeader(ofFile: data)
        let frames = header.frameCount > 1 ? RowsFrames(header, of: data, options: options) : nil
        return try options.image(of: header.picture, animation: frames) { y, row throws(WebImageError) in
            row.withUnsafeMutableBytes { $0.copyBytes(from: header.row(y, in: data)) }
        }
    }
}

struct RowsHeader {
    static let byteCount = 16
    let size: PixelSize
    let frameCount: Int

    init(_ bytes: [UInt8]) throws(WebImageError) {
        guard bytes.count == Self.byteCount else { throw .damaged("it ends before its pixels begin") }
        let numbers = [4, 8, 12].map { place in (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << ($1 * 8) } }
        guard numbers.allSatisfy({ $0 > 0 && $0 < 1 << 24 }) else { throw .damaged("its size is impossible") }
        size = PixelSize(width: numbers[0], height: numbers[1])
        frameCount = numbers[2]
    }

    /// The header of a file that has all of its rows.
    init(ofFile data: Data) throws(WebImageError) {
        try self.init([UInt8](data.prefix(Self.byteCount)))
        guard (data.count - Self.byteCount) / 4 / size.area >= frameCount else { throw .damaged("rows are missing") }
    }

    var picture: PictureRows {
        var picture = PictureRows(size: size, format: RowsCoder.format)
        picture.frameCount = frameCount
        return picture
    }

    /// The first byte of a row.
    func offset(ofRow y: Int, frame: Int = 0) -> Int { Self.byteCount + (frame * size.height + y) * size.width * 4 }

    func row(_ y: Int, frame: Int = 0, in data: Data) -> Data {
        data.dropFirst(offset(ofRow: y, frame: frame)).prefix(size.width * 4)
    }
}

extension WebImageError {
    static func damaged(_ finding: String) -> WebImageError {
        WebImageError(.badImageData, stage: .decode, kind: .permanent, reason: "the file is damaged: \(finding)")
    }
}
