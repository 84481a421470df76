import FoundationEssentials

/// Parses the blocks of a GIF file (GIF89a §18–26) without decoding pixels.
///
/// Two faults that are common and harmless are taken, as browsers do: garbage after the last frame, and a still picture
/// without a trailer. An animation without one has been cut.
struct GIFReader {
    private var reader: ByteReader
    private var contents: GIFContents
    /// Belongs to the frame to come.
    private var control: GIFFrameControl?

    private enum Introducer {
        static let `extension`: UInt8 = 0x21
        static let image: UInt8 = 0x2C
        static let trailer: UInt8 = 0x3B
    }

    /// Reads the whole file.
    ///
    /// - Parameter allowsMissingTrailer: Whether a still picture is whole without a trailer. A prefix may end between two
    ///   blocks by chance, so it is not.
    /// - Throws: ``WebImageError/Code/truncatedImageData`` where the file ends within a block or without a frame,
    ///   ``WebImageError/Code/badImageData``, and ``WebImageError/Code/limitExceeded`` at the frame limit.
    static func contents(
        of data: Data, limits: ImageLimits, allowsMissingTrailer: Bool = true
    ) throws(WebImageError) -> GIFContents {
        var reader = try GIFReader(data)
        try limits.check(source: reader.contents.screenSize)
        try reader.readBlocks(limits: limits, allowsMissingTrailer: allowsMissingTrailer)
        return reader.contents
    }

    private init(_ data: Data) throws(WebImageError) {
        reader = ByteReader(data, format: .gif)
        let signature = try reader.bytes(count: 6)
        guard signature.starts(with: Array("GIF8".utf8)) else { throw .damaged(.gif, "it has no GIF signature") }
        let size = PixelSize(width: try reader.littleEndian(bytes: 2), height: try reader.littleEndian(bytes: 2))
        let flags = try reader.byte()
        // The background colour and the aspect ratio: no viewer of today honours either.
        try reader.skip(2)
        contents = GIFContents(screenSize: size)
        contents.globalColorTable = try colorTable(flags: flags)
    }

    private mutating func readBlocks(limits: ImageLimits, allowsMissingTrailer: Bool) throws(WebImageError) {
        while true {
            if reader.isAtEnd, allowsMissingTrailer, isWholeStillPicture { return }
            switch try reader.byte() {
            case Introducer.image:
                guard contents.frames.count < limits.maximumFrameCount else { throw .tooManyFrames(.gif, limits) }
                contents.frames.append(try frame())
                control = nil
            case Introducer.extension: try readExtension()
            case Introducer.trailer where contents.frames.isEmpty:
                throw .damaged(.gif, "it has no picture")
            case Introducer.trailer: return
            case let other:
                guard contents.frames.isEmpty else { return }
                throw .damaged(.gif, "byte \(reader.offset - 1) is \(other), which begins no block")
            }
        }
    }

    private var isWholeStillPicture: Bool {
        contents.frames.count == 1 && contents.declaredLoopCount == nil && control == nil
    }

    private mutating func frame() throws(WebImageError) -> GIFFrame {
        let left = try reader.littleEndian(bytes: 2)
        let top = try reader.littleEndian(bytes: 2)
        let size = PixelSize(width: try reader.littleEndian(bytes: 2), height: try reader.littleEndian(bytes: 2))
        let flags = try reader.byte()
        let colors = try colorTable(flags: flags)
        let minimumCodeSize = Int(try reader.byte())
        guard !size.isEmpty else { throw .damaged(.gif, "a frame is \(size) pixels") }
        guard 1...11 ~= minimumCodeSize else {
            throw .damaged(.gif, "a frame's code size is \(minimumCodeSize), which must be 1 to 11")
        }
        if contents.screenSize.isEmpty { contents.screenSize = size }
        return GIFFrame(
            left: left, top: top, size: size, isInterlaced: flags & 0x40 != 0, localColorTable: colors,
            control: control ?? GIFFrameControl(), minimumCodeSize: minimumCodeSize, dataRange: try subBlocks())
    }

    /// Reads the table whose presence and size the flags of a screen or frame tell.
    private mutating func colorTable(flags: UInt8) throws(WebImageError) -> GIFColorTable? {
        guard flags & 0x80 != 0 else { return nil }
        return GIFColorTable(try reader.bytes(count: 3 << (Int(flags & 7) + 1)))
    }

    /// Steps over sub-blocks and their terminator and says where they lie, the terminator left out.
    private mutating func subBlocks() throws(WebImageError) -> Range<Int> {
        let start = reader.offset
        while case let length = Int(try reader.byte()), length > 0 { try reader.skip(length) }
        return start..<reader.offset - 1
    }
}

extension GIFReader {
    private mutating func readExtension() throws(WebImageError) {
        let label = try reader.byte()
        var blocks = ByteReader(reader.data, format: .gif, range: try subBlocks())
        switch label {
        case 0xF9: readGraphicControl(&blocks)
        case 0xFF: readApplication(&blocks)
        default: break
        }
    }

    /// Extensions of the wrong length are passed over, not refused: they hold no pixels.
    private mutating func readGraphicControl(_ blocks: inout ByteReader) {
        guard var block = Self.nextSubBlock(of: &blocks), let flags = try? block.byte(),
            let delay = try? block.littleEndian(bytes: 2), let transparentIndex = try? block.byte()
        else { return }
        control = GIFFrameControl(
            disposal: GIFFrame.Disposal(rawValue: Int(flags >> 2 & 7)) ?? .unspecified, duration: delay * 10,
            transparentIndex: flags & 1 != 0 ? transparentIndex : nil)
    }

    /// The looping extension, which Netscape invented and everybody writes: sub-block 1 holds the number of plays.
    private mutating func readApplication(_ blocks: inout ByteReader) {
        guard var name = Self.nextSubBlock(of: &blocks), let identifier = try? name.bytes(count: 11),
            ["NETSCAPE2.0", "ANIMEXTS1.0"].contains(String(decoding: identifier, as: UTF8.self))
        else { return }
        while var block = Self.nextSubBlock(of: &blocks) {
            guard let number = try? block.byte(), number & 7 == 1 else { continue }
            contents.declaredLoopCount = (try? block.littleEndian(bytes: 2)) ?? contents.declaredLoopCount
        }
    }

    private static func nextSubBlock(of blocks: inout ByteReader) -> ByteReader? {
        guard let length = try? blocks.byte(), let range = try? blocks.range(count: Int(length)) else { return nil }
        return ByteReader(blocks.data, format: .gif, range: range)
    }
}
