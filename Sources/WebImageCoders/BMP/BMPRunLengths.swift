import FoundationEssentials
import WebImageCore

/// Pixels with run-length compression: RLE4 and RLE8 of Windows, RLE24 of OS/2.
///
/// A pair of bytes is a run, or after 0 an escape: 0 ends a row, 1 ends the picture, 2 skips pixels, 3 and above is a
/// number of literal pixels. Pixels outside of all runs stay transparent; runs outside of the picture are ignored.
struct BMPRunLengths {
    private let header: BMPHeader
    private let colors: [UInt32]
    private var reader: ByteReader
    private var x = 0
    /// Rows from the first one in the file.
    private var y = 0

    private static let bytesBetweenChecks = 4096

    private enum Escape {
        static let endOfRow: UInt8 = 0
        static let endOfPicture: UInt8 = 1
        static let move: UInt8 = 2
    }

    init(_ header: BMPHeader, data: Data, format: ImageFormat) {
        self.header = header
        colors = header.palette.colors
        reader = ByteReader(data, format: format, range: min(header.pixelOffset, data.count)..<data.count)
    }

    /// Draws all runs on `pixels`, the whole picture in top-down order.
    ///
    /// - Parameter checkpoint: Called regularly, even within a row with more runs than pixels.
    /// - Throws: ``WebImageError/Code/truncatedImageData`` where the file ends before the last row, without the code
    ///   for the end of the picture.
    mutating func draw(
        on pixels: inout MutableSpan<UInt32>, checkpoint: () throws(WebImageError) -> Void
    ) throws(WebImageError) {
        var nextCheck = reader.offset
        while y < header.size.height {
            if reader.offset >= nextCheck {
                try checkpoint()
                nextCheck += Self.bytesBetweenChecks
            }
            if reader.isAtEnd, y == header.size.height - 1, x >= header.size.width { return }
            let count = try reader.byte()
            guard count == 0 else {
                try drawRun(Int(count), on: &pixels)
                continue
            }
            switch try reader.byte() {
            case Escape.endOfPicture: return
            case Escape.endOfRow:
                x = 0
                y += 1
            case Escape.move:
                x += Int(try reader.byte())
                y += Int(try reader.byte())
            case let count: try drawLiterals(Int(count), on: &pixels)
            }
        }
    }

    private mutating func drawRun(_ count: Int, on pixels: inout MutableSpan<UInt32>) throws(WebImageError) {
        if header.compression == .runLength24 {
            let color = try color()
            for _ in 0..<count { put(color, on: &pixels) }
            return
        }
        let value = try reader.byte()
        for index in 0..<count { put(color(index, in: value), on: &pixels) }
    }

    private mutating func drawLiterals(_ count: Int, on pixels: inout MutableSpan<UInt32>) throws(WebImageError) {
        let start = reader.offset
        switch header.compression {
        case .runLength24: for _ in 0..<count { put(try color(), on: &pixels) }
        case .runLength8: for _ in 0..<count { put(colors[Int(try reader.byte())], on: &pixels) }
        default:
            for _ in 0..<count / 2 {
                let value = try reader.byte()
                put(color(0, in: value), on: &pixels)
                put(color(1, in: value), on: &pixels)
            }
            if !count.isMultiple(of: 2) { put(color(0, in: try reader.byte()), on: &pixels) }
        }
        // Literals are padded to 16-bit words, except possibly the last ones of a file.
        if !(reader.offset - start).isMultiple(of: 2), !reader.isAtEnd { try reader.skip(1) }
    }

    /// The colour of a pixel of a run: with four bits a pixel, two colours alternate.
    private func color(_ index: Int, in value: UInt8) -> UInt32 {
        guard header.compression == .runLength4 else { return colors[Int(value)] }
        return colors[Int(index.isMultiple(of: 2) ? value >> 4 : value & 15)]
    }

    private mutating func color() throws(WebImageError) -> UInt32 {
        let value = UInt32(try reader.littleEndian(bytes: 3))
        return UInt32(littleEndian: value >> 16 | value & 0xFF00 | (value & 0xFF) << 16 | 0xFF00_0000)
    }

    private mutating func put(_ color: UInt32, on pixels: inout MutableSpan<UInt32>) {
        if x < header.size.width, y < header.size.height {
            let row = header.isTopDown ? y : header.size.height - 1 - y
            pixels[row * header.size.width + x] = color
        }
        x += 1
    }
}
