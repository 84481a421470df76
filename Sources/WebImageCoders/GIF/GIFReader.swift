import FoundationEssentials
import WebImageCore

/// Parses the blocks of a GIF file (GIF89a §18–26) in order, without decoding pixels.
///
/// Like browsers, it accepts two common and harmless errors: garbage after the last frame, and a still picture without
/// a trailer. An animation without a trailer is truncated.
struct GIFReader {
    private(set) var contents = GIFContents(screenSize: PixelSize(width: 0, height: 0))
    /// Whether the trailer, or what counts as one, was read.
    private(set) var isAtEnd = false
    private var hasHeader = false
    /// The control extension for the next frame.
    private var control: GIFFrameControl?
    private let limits: ImageLimits
    /// Whether frames after the first are only passed, in any number.
    private let keepsFirstFrameOnly: Bool
    private var frameCount = 0

    private enum Introducer {
        static let `extension`: UInt8 = 0x21
        static let image: UInt8 = 0x2C
        static let trailer: UInt8 = 0x3B
    }

    init(limits: ImageLimits, keepsFirstFrameOnly: Bool = false) {
        self.limits = limits
        self.keepsFirstFrameOnly = keepsFirstFrameOnly
    }

    /// Reads the whole file.
    ///
    /// - Parameters:
    ///   - keepsFirstFrameOnly: Whether the contents have only the first frame, however many follow.
    ///   - allowsMissingTrailer: Whether a still picture is complete without a trailer. A prefix of a file is not, because
    ///     it may end between two blocks by chance.
    /// - Throws: ``WebImageError/Code/truncatedImageData`` where the file ends within a block or without a frame,
    ///   ``WebImageError/Code/badImageData``, and ``WebImageError/Code/limitExceeded`` at the frame limit.
    static func contents(
        of data: Data, limits: ImageLimits, keepsFirstFrameOnly: Bool = false, allowsMissingTrailer: Bool = true
    ) throws(WebImageError) -> GIFContents {
        var reader = GIFReader(limits: limits, keepsFirstFrameOnly: keepsFirstFrameOnly)
        var bytes = ByteReader(data, format: .gif)
        while !reader.isAtEnd {
            if bytes.isAtEnd, allowsMissingTrailer, reader.isWholeStillPicture { break }
            try reader.readBlock(&bytes)
        }
        return reader.contents
    }

    /// Reads the next block, at first the file's header.
    ///
    /// - Throws: ``WebImageError/Code/truncatedImageData`` where the block is incomplete: the reader is unchanged then,
    ///   and can read the block again with more data.
    mutating func readBlock(_ reader: inout ByteReader) throws(WebImageError) {
        guard hasHeader else { return try readHeader(&reader) }
        switch try reader.byte() {
        case Introducer.image: try readFrame(&reader)
        case Introducer.extension: try readExtension(&reader)
        case Introducer.trailer where contents.frames.isEmpty:
            throw .damaged(.gif, "it has no picture")
        case Introducer.trailer: isAtEnd = true
        case let other:
            if !contents.frames.isEmpty { return isAtEnd = true }
            throw .damaged(.gif, "byte \(reader.offset - 1) is \(other), which begins no block")
        }
    }

    private mutating func readFrame(_ reader: inout ByteReader) throws(WebImageError) {
        guard keepsFirstFrameOnly || frameCount < limits.maximumFrameCount else { throw .tooManyFrames(.gif, limits) }
        var frame = try frameHeader(&reader)
        frame.blocks = reader.data[in: try Self.subBlocks(&reader)]
        contents.screenSize = contents.screenSize(with: frame)
        try limits.check(.gif, source: contents.screenSize)
        if !keepsFirstFrameOnly || frameCount == 0 { contents.frames.append(frame) }
        frameCount += 1
        control = nil
    }

    /// The next frame without its codes, where a frame comes next and its header is complete.
    ///
    /// - Parameter reader: Afterwards at the frame's codes.
    func frameToCome(_ reader: inout ByteReader) throws(WebImageError) -> GIFFrame? {
        guard hasHeader, !isAtEnd, (try? reader.byte()) == Introducer.image else { return nil }
        return try FileBeginning.read { () throws(WebImageError) in try frameHeader(&reader) }
    }

    /// Copies the last frame's bytes, because the file's buffer is about to be released.
    mutating func keepLastFrame() {
        guard let last = contents.frames.indices.last else { return }
        contents.frames[last].blocks = contents.frames[last].blocks.withUnsafeBytes { Data($0) }
    }

    private var isWholeStillPicture: Bool {
        frameCount == 1 && contents.declaredLoopCount == nil && control == nil
    }
}

extension GIFReader {
    private mutating func readHeader(_ reader: inout ByteReader) throws(WebImageError) {
        let signature = try reader.bytes(count: 6)
        guard signature.starts(with: Array("GIF8".utf8)) else { throw .damaged(.gif, "it has no GIF signature") }
        let size = PixelSize(width: try reader.littleEndian(bytes: 2), height: try reader.littleEndian(bytes: 2))
        let flags = try reader.byte()
        // The background colour and the aspect ratio: current viewers ignore both.
        try reader.skip(2)
        let table = try Self.colorTable(&reader, flags: flags)
        contents = GIFContents(screenSize: size, globalColorTable: table)
        hasHeader = true
        try limits.check(.gif, source: size)
    }

    /// Reads the frame's header up to its codes.
    private func frameHeader(_ reader: inout ByteReader) throws(WebImageError) -> GIFFrame {
        let left = try reader.littleEndian(bytes: 2)
        let top = try reader.littleEndian(bytes: 2)
        let size = PixelSize(width: try reader.littleEndian(bytes: 2), height: try reader.littleEndian(bytes: 2))
        let flags = try reader.byte()
        let colors = try Self.colorTable(&reader, flags: flags)
        let minimumCodeSize = Int(try reader.byte())
        guard !size.isEmpty else { throw .damaged(.gif, "a frame is \(size) pixels") }
        // All of the frame is held in memory, including parts outside of the screen.
        try limits.check(.gif, source: size, held: size)
        guard 1...11 ~= minimumCodeSize else {
            throw .damaged(.gif, "a frame's code size is \(minimumCodeSize), which must be 1 to 11")
        }
        return GIFFrame(
            left: left, top: top, size: size, isInterlaced: flags & 0x40 != 0, localColorTable: colors,
            control: control ?? GIFFrameControl(), minimumCodeSize: minimumCodeSize)
    }

    /// Reads the table that the flags of a screen or frame announce.
    private static func colorTable(
        _ reader: inout ByteReader, flags: UInt8
    ) throws(WebImageError) -> GIFColorTable? {
        guard flags & 0x80 != 0 else { return nil }
        return GIFColorTable(try reader.bytes(count: 3 << (Int(flags & 7) + 1)))
    }

    /// Skips sub-blocks and their terminator, and returns the range of the sub-blocks.
    private static func subBlocks(_ reader: inout ByteReader) throws(WebImageError) -> Range<Int> {
        let start = reader.offset
        while case let length = Int(try reader.byte()), length > 0 { try reader.skip(length) }
        return start..<reader.offset - 1
    }

    private mutating func readExtension(_ reader: inout ByteReader) throws(WebImageError) {
        let label = try reader.byte()
        var blocks = ByteReader(reader.data, format: .gif, range: try Self.subBlocks(&reader))
        switch label {
        case 0xF9: readGraphicControl(&blocks)
        case 0xFF: readApplication(&blocks)
        default: break
        }
    }

    /// Extensions with a wrong length are skipped, not rejected: they hold no pixels.
    private mutating func readGraphicControl(_ blocks: inout ByteReader) {
        guard var block = Self.nextSubBlock(of: &blocks), let flags = try? block.byte(),
            let delay = try? block.littleEndian(bytes: 2), let transparentIndex = try? block.byte()
        else { return }
        control = GIFFrameControl(
            disposal: GIFFrame.Disposal(rawValue: Int(flags >> 2 & 7)) ?? .unspecified, duration: delay * 10,
            transparentIndex: flags & 1 != 0 ? transparentIndex : nil)
    }

    /// The Netscape looping extension, which all encoders write: sub-block 1 holds the number.
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
