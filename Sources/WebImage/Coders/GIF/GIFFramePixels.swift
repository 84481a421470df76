import FoundationEssentials

/// The decoded pixels of one frame: indices into its colour table, in the order in which the file has its rows.
struct GIFFramePixels {
    private let frame: GIFFrame
    private let indices: [UInt8]
    private let colors: [UInt32]
    /// Where row y of the picture stands in the file; nil when rows stand in order.
    private let storedRows: [Int]?

    /// Decodes a frame of the file `data`.
    ///
    /// - Throws: ``WebImageError/Code/badImageData`` when there are too few pixels.
    init(_ frame: GIFFrame, of contents: GIFContents, data: Data) throws(WebImageError) {
        self.frame = frame
        colors = Self.colors(of: frame, in: contents)
        storedRows = frame.isInterlaced ? Self.interlacedRows(height: frame.size.height) : nil
        let compressed = Self.compressedBytes(of: frame, in: data)
        var indices = [UInt8](repeating: 0, count: frame.size.area + LZWDecoder.outputSlack)
        let decoder = LZWDecoder(minimumCodeSize: frame.minimumCodeSize)
        let count = Self.decode(compressed, with: decoder, into: &indices)
        guard count == frame.size.area else {
            throw .damaged(.gif, "a frame of \(frame.size) pixels has data for \(count)")
        }
        self.indices = indices
    }

    /// Puts row `y` of the logical screen, `row`, which holds what was there before, under the frame's pixels.
    ///
    /// Transparent pixels leave what was there, except that they colour what is clear, without making it opaque: whoever
    /// asks for straight pixels gets those of the file. Parts of the frame outside the screen are cut off.
    func draw(onScreenRow y: Int, _ row: inout MutableSpan<UInt32>) {
        let frameRow = y - frame.top
        guard 0..<frame.size.height ~= frameRow, frame.left < row.count else { return }
        let stored = storedRows?[frameRow] ?? frameRow
        let width = min(frame.size.width, row.count - frame.left)
        let first = stored * frame.size.width
        let indices = indices.span.extracting(first..<first + width)
        let colors = colors.span
        for x in 0..<width {
            let color = colors[Int(indices[x])]
            if color & Self.opaque != 0 || row[frame.left + x] & Self.opaque == 0 { row[frame.left + x] = color }
        }
    }
}

extension GIFFramePixels {
    /// Where alpha lies in a colour in memory order.
    private static let opaque = UInt32(littleEndian: 0xFF00_0000)

    private static func colors(of frame: GIFFrame, in contents: GIFContents) -> [UInt32] {
        var colors = contents.colorTable(of: frame).colors
        if let index = frame.control.transparentIndex { colors[Int(index)] &= ~opaque }
        return colors
    }

    private static func compressedBytes(of frame: GIFFrame, in data: Data) -> [UInt8] {
        var blocks = ByteReader(data, format: .gif, range: frame.dataRange)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(blocks.remaining)
        while let length = try? blocks.byte(), let block = try? blocks.bytes(count: Int(length)) {
            bytes.append(contentsOf: block)
        }
        return bytes
    }

    private static func decode(_ compressed: [UInt8], with decoder: LZWDecoder, into indices: inout [UInt8]) -> Int {
        var span = indices.mutableSpan
        var output = span.mutableBytes
        return decoder.decode(compressed.span, into: &output)
    }

    /// GIF89a appendix E: every 8th row, then the rows between, in four passes.
    private static func interlacedRows(height: Int) -> [Int] {
        let passes: [(start: Int, step: Int)] = [(0, 8), (4, 8), (2, 4), (1, 2)]
        let order = passes.flatMap { Array(stride(from: $0.start, to: height, by: $0.step)) }
        var rows = [Int](repeating: 0, count: height)
        for (stored, row) in order.enumerated() { rows[row] = stored }
        return rows
    }
}
