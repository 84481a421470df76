import CPixels
import FoundationEssentials
import WebImageCore
import WebImagePixels

/// The decoded pixels of one frame at a time: indices into a colour table, with rows in the order of the file. The
/// memory is reused for each frame.
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

    /// Prepares for a frame whose codes arrive in pieces.
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

    /// Decodes the complete blocks.
    ///
    /// - Returns: The number of pixels so far, and the number of bytes of `blocks` consumed.
    mutating func decode(_ blocks: Data) -> (pixelCount: Int, readCount: Int) {
        var readCount = 0
        while !decoder.isEnded, decoder.writtenCount < size.area {
            // A few at a time: together they may be as large as the file.
            codes.removeAll(keepingCapacity: true)
            let count = GIFSubBlocks.append(blocks.dropFirst(readCount), to: &codes, maximum: Self.codesAtOnce)
            guard count > 0, let indices else { break }
            readCount += count
            // A second reference to the array for this scope, which is not modified meanwhile.
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

    /// The number of complete rows, in the order of the file.
    var decodedRowCount: Int { decoder.writtenCount / max(1, size.width) }

    /// Draws the frame's part of row `y` of the logical screen over `row`.
    ///
    /// Transparent pixels keep what is below, except that on a fully transparent pixel they set the colour without
    /// making it opaque: a result with straight alpha then has the file's colours. Parts of the frame outside of the
    /// screen are clipped.
    ///
    /// - Parameter width: The number of pixels of the screen's row.
    func draw(screenRow y: Int, on row: UnsafeMutablePointer<UInt8>, width: Int) {
        guard 0..<size.height ~= y - top, left < width else { return }
        draw(storedRow: interlacing?.storedRows[y - top] ?? y - top, on: row, width: width)
    }

    /// For each of the frame's rows, the stored row to show before all rows have arrived: a missing row repeats the
    /// nearest one above; -1 where there is none.
    func growingRows() -> [Int] {
        let available = decodedRowCount
        var nearest = -1
        return (0..<size.height).map { row in
            let stored = interlacing?.storedRows[row] ?? row
            if stored < available { nearest = stored }
            return nearest
        }
    }

    /// As ``draw(screenRow:on:width:)``, before all rows have arrived.
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

    /// The alpha bits of a colour in memory order.
    private static let opaque = UInt32(littleEndian: 0xFF00_0000)
}

/// The order of an interlaced frame's rows in the file (GIF89a appendix E): every 8th row, then the rows between, in
/// four passes.
struct GIFInterlacing {
    /// For each row of the picture, its index in the file.
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

/// The sub-blocks of a frame's codes: a length byte and that number of bytes, up to a length of 0.
enum GIFSubBlocks {
    /// Appends the codes of complete sub-blocks to `codes`, until these exceed `maximum`.
    ///
    /// - Returns: The number of bytes of `blocks` consumed.
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
