import CPixels
import FoundationEssentials

/// The decoded pixels of one frame after the other: indices into a colour table, in the order in which the file has its
/// rows. Its memory is used again for each frame.
struct GIFFramePixels {
    private var decoder = LZWDecoder()
    private var codes: [UInt8] = []
    private var indices: PixelBuffer?
    private var indexCapacity = 0
    private var colors = [UInt32](repeating: 0, count: 256)
    private var interlacing: GIFInterlacing?
    private var left = 0
    private var top = 0
    private var size = PixelSize(width: 0, height: 0)
    private var isOpaque = true

    /// Decodes a frame.
    ///
    /// - Throws: ``WebImageError/Code/badImageData`` when there are too few pixels, and
    ///   ``WebImageError/Code/limitExceeded`` when the system has no memory for them.
    mutating func decode(
        _ frame: GIFFrame, colors table: GIFColorTable, options: ImageDecodeOptions
    ) throws(WebImageError) {
        try begin(frame, colors: table)
        let count = decode(frame.blocks).pixelCount
        guard count == size.area else {
            throw .damaged(.gif, "a frame of \(size) pixels has data for \(count)")
        }
    }

    /// Makes ready for a frame whose codes come bit by bit.
    mutating func begin(_ frame: GIFFrame, colors table: GIFColorTable) throws(WebImageError) {
        (left, top, size) = (frame.left, frame.top, frame.size)
        isOpaque = frame.control.transparentIndex == nil
        for index in 0..<256 { colors[index] = table.colors[index] }
        if let index = frame.control.transparentIndex { colors[Int(index)] &= ~Self.opaque }
        if !frame.isInterlaced {
            interlacing = nil
        } else if interlacing?.height != size.height {
            interlacing = GIFInterlacing(height: size.height)
        }
        let needed = size.area + LZWDecoder.outputSlack
        if indexCapacity < needed {
            indices = PixelBuffer(byteCount: needed)
            indexCapacity = indices == nil ? 0 : needed
        }
        guard indices != nil else { throw .outOfMemory(for: size) }
        decoder.restart(minimumCodeSize: frame.minimumCodeSize)
    }

    /// Takes the codes of as many whole blocks as there are.
    ///
    /// - Returns: How many pixels there are now, and how many bytes of `blocks` that took.
    mutating func decode(_ blocks: Data) -> (pixelCount: Int, readCount: Int) {
        var readCount = 0
        while !decoder.isEnded, decoder.writtenCount < size.area {
            // A few at a time: together they may be as large as the file.
            codes.removeAll(keepingCapacity: true)
            let count = GIFSubBlocks.append(blocks.dropFirst(readCount), to: &codes, maximum: Self.codesAtOnce)
            guard count > 0, let indices else { break }
            readCount += count
            // Another name for the same memory, which stays that of this value alone.
            let codes = codes
            let room = UnsafeMutableRawBufferPointer(start: indices.base, count: indexCapacity)
            Self.decode(codes.span, count: size.area, with: &decoder, into: room)
        }
        return (decoder.writtenCount, readCount)
    }

    private static func decode(
        _ codes: Span<UInt8>, count: Int, with decoder: inout LZWDecoder, into room: UnsafeMutableRawBufferPointer
    ) {
        var output = room.mutableBytes
        _ = decoder.decode(codes, limit: count, into: &output)
    }

    private static let codesAtOnce = 64 << 10

    /// Rows as stored of which all pixels are there.
    var decodedRowCount: Int { decoder.writtenCount / max(1, size.width) }

    /// Draws what the frame has in row `y` of the logical screen over what `row` holds.
    ///
    /// Transparent pixels leave what was there, except that they colour what is clear, without making it opaque: whoever
    /// asks for straight pixels gets those of the file. Parts of the frame outside the screen are cut off.
    ///
    /// - Parameter width: Pixels of the screen's row.
    func draw(screenRow y: Int, on row: UnsafeMutablePointer<UInt8>, width: Int) {
        guard 0..<size.height ~= y - top, left < width else { return }
        draw(storedRow: interlacing?.storedRows[y - top] ?? y - top, on: row, width: width)
    }

    /// Which stored row each of the frame's looks like before all are there: one that is missing like the nearest above it,
    /// and -1 where none is.
    func growingRows() -> [Int] {
        let available = decodedRowCount
        var nearest = -1
        return (0..<size.height).map { row in
            let stored = interlacing?.storedRows[row] ?? row
            if stored < available { nearest = stored }
            return nearest
        }
    }

    /// The same as ``draw(screenRow:on:width:)``, before all rows are there.
    ///
    /// - Parameter rows: ``growingRows()``.
    func drawGrowing(screenRow y: Int, of rows: [Int], on row: UnsafeMutablePointer<UInt8>, width: Int) {
        guard rows.indices ~= y - top, left < width, rows[y - top] >= 0 else { return }
        draw(storedRow: rows[y - top], on: row, width: width)
    }

    private func draw(storedRow: Int, on row: UnsafeMutablePointer<UInt8>, width: Int) {
        let count = min(size.width, width - left)
        guard let indices else { return }
        webimage_draw_indices(indices.base + storedRow * size.width, colors, isOpaque, row + left * 4, count)
    }

    /// Where alpha lies in a colour in memory order.
    private static let opaque = UInt32(littleEndian: 0xFF00_0000)
}

/// In which order a file has the rows of an interlaced frame (GIF89a appendix E): every 8th row, then the rows between,
/// in four passes.
struct GIFInterlacing {
    /// Where row y of the picture stands in the file.
    let storedRows: [Int]

    var height: Int { storedRows.count }

    init(height: Int) {
        let passes: [(start: Int, step: Int)] = [(0, 8), (4, 8), (2, 4), (1, 2)]
        var rows = [Int](repeating: 0, count: height)
        var stored = 0
        for pass in passes {
            for row in stride(from: pass.start, to: height, by: pass.step) {
                rows[row] = stored
                stored += 1
            }
        }
        storedRows = rows
    }
}

/// The parts that a frame's codes are cut into: a length byte and so many bytes, up to a length of 0.
enum GIFSubBlocks {
    /// Puts the codes together of as many whole blocks as there are, up to so many bytes of them and one block more.
    ///
    /// - Returns: How many bytes of `blocks` that was.
    static func append(_ blocks: Data, to codes: inout [UInt8], maximum: Int) -> Int {
        blocks.bytes.withUnsafeBytes { bytes in
            codes.reserveCapacity(min(bytes.count, maximum))
            var offset = 0
            while codes.count < maximum, offset < bytes.count, case let length = Int(bytes[offset]), length > 0,
                offset + length < bytes.count
            {
                codes.append(contentsOf: bytes[offset + 1...offset + length])
                offset += length + 1
            }
            return offset
        }
    }
}
