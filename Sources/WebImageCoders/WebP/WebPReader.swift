import FoundationEssentials
import WebImageCore

/// Reads the chunks of a WebP file (RFC 9649 §2) without decoding pixels.
struct WebPReader {
    private static let fileHeaderByteCount = 12

    /// The end of the file in the RIFF header; later bytes are not part of the picture.
    let declaredEnd: Int
    private let limits: ImageLimits
    /// Whether frames after the first are only passed, in any number.
    private let keepsFirstFrameOnly: Bool
    private(set) var container = WebPContainer(canvasSize: PixelSize(width: 0, height: 0))
    private var announcesEXIF = false
    private var alphaStart: Int?

    /// Whether the bytes begin with WebP's signature.
    static func canRead(_ data: Data) -> Bool {
        data.starts(with: Array("RIFF".utf8)) && data.dropFirst(8).starts(with: Array("WEBP".utf8))
    }

    /// Reads as far as necessary: to the end, or for an incomplete still picture without EXIF data to the header of its
    /// pixels.
    ///
    /// - Parameter keepsFirstFrameOnly: Whether the container has only the first frame, however many follow.
    /// - Throws: ``WebImageError/Code/truncatedImageData`` where the file ends too early,
    ///   ``WebImageError/Code/badImageData``, and ``WebImageError/Code/limitExceeded``.
    static func container(
        of data: Data, isComplete: Bool, limits: ImageLimits, keepsFirstFrameOnly: Bool = false
    ) throws(WebImageError) -> WebPContainer {
        var bytes = ByteReader(data, format: .webP)
        var reader = try WebPReader(&bytes, limits: limits, keepsFirstFrameOnly: keepsFirstFrameOnly)
        bytes = ByteReader(data, format: .webP, range: fileHeaderByteCount..<reader.declaredEnd)
        do throws(WebImageError) {
            while !bytes.isAtEnd { try reader.readChunk(&bytes) }
            guard data.count >= reader.declaredEnd else { throw .truncated(.webP) }
        } catch {
            guard !isComplete, reader.knowsEnough, error.code == .truncatedImageData else { throw error }
            return reader.container
        }
        guard !reader.container.frames.isEmpty else { throw .damaged(.webP, "it has no picture") }
        return reader.container
    }

    /// Whether a file that begins with `data` is an animation; nil while that is unknown.
    static func isAnimated(_ data: Data) -> Bool? {
        var bytes = ByteReader(data, format: .webP)
        guard (try? bytes.skip(fileHeaderByteCount)) != nil, let type = try? bytes.fourCharacterCode() else {
            return nil
        }
        guard type == "VP8X" else { return false }
        guard (try? bytes.skip(4)) != nil, let flags = try? bytes.byte() else { return nil }
        return flags & animationFlag != 0
    }

    private static let animationFlag: UInt8 = 0x02

    /// Reads the file's header; the chunks follow.
    init(
        _ header: inout ByteReader, limits: ImageLimits, keepsFirstFrameOnly: Bool = false
    ) throws(WebImageError) {
        let riff = try header.fourCharacterCode()
        declaredEnd = try header.littleEndian(bytes: 4) + 8
        guard riff == "RIFF", try header.fourCharacterCode() == "WEBP" else {
            throw .damaged(.webP, "it has no WebP signature")
        }
        guard declaredEnd > Self.fileHeaderByteCount else { throw .damaged(.webP, "it is empty") }
        self.limits = limits
        self.keepsFirstFrameOnly = keepsFirstFrameOnly
    }

    /// Whether unread EXIF data may contain an orientation.
    var mayBeTurned: Bool { announcesEXIF && container.exif == nil }

    private var knowsEnough: Bool { !container.frames.isEmpty && !container.isAnimated && !announcesEXIF }

    /// Copies the bytes of chunks, because the file's buffer is about to be released.
    mutating func keepBytes() {
        container.exif = container.exif?.withUnsafeBytes { Data($0) }
        container.iccProfile = container.iccProfile?.withUnsafeBytes { Data($0) }
    }

    /// Reads the next chunk. For a still picture's pixels, the beginning suffices to record them, before an error is
    /// thrown because the rest is missing; any other incomplete chunk can be read again.
    ///
    /// - Returns: The chunk's type.
    @discardableResult
    mutating func readChunk(_ reader: inout ByteReader) throws(WebImageError) -> FourCharacterCode {
        let start = reader.offset
        let type = try reader.fourCharacterCode()
        let length = try reader.littleEndian(bytes: 4)
        let content = reader.offset..<reader.offset + length
        var chunk = ByteReader(reader.data, format: .webP, range: content)
        switch type {
        case "VP8X" where container.canvasSize.isEmpty: try readExtendedHeader(&chunk)
        case "ALPH": alphaStart = start
        case "VP8 " where !container.isAnimated:
            try addPicture(.lossy(&chunk, hasAlpha: alphaStart != nil), at: (alphaStart ?? start)..<content.upperBound)
        case "VP8L" where !container.isAnimated:
            try addPicture(.lossless(&chunk), at: start..<content.upperBound)
        default: break
        }
        try reader.skip(length)
        // Chunks are padded to even length; some writers omit the padding at the end of the file.
        try reader.skip(min(length & 1, reader.remaining))
        try readWholeChunk(type, &chunk)
        return type
    }

    /// Reads a chunk that is useless when incomplete.
    private mutating func readWholeChunk(
        _ type: FourCharacterCode, _ chunk: inout ByteReader
    ) throws(WebImageError) {
        switch type {
        case "ICCP": container.iccProfile = try chunk.bytes(count: chunk.remaining)
        case "EXIF": container.exif = try chunk.bytes(count: chunk.remaining)
        case "ANIM" where chunk.remaining >= 6:
            // The background colour is a hint, which viewers ignore.
            try chunk.skip(4)
            container.playCount = try chunk.littleEndian(bytes: 2)
        case "ANMF" where container.isAnimated:
            guard keepsFirstFrameOnly || container.frames.count < limits.maximumFrameCount else {
                throw .tooManyFrames(.webP, limits)
            }
            let frame = try frame(&chunk)
            if !keepsFirstFrameOnly || container.frames.isEmpty { container.frames.append(frame) }
        default: break
        }
    }

    private mutating func readExtendedHeader(_ chunk: inout ByteReader) throws(WebImageError) {
        let flags = try chunk.littleEndian(bytes: 4)
        container.canvasSize = PixelSize(
            width: try chunk.littleEndian(bytes: 3) + 1, height: try chunk.littleEndian(bytes: 3) + 1)
        container.hasAlpha = flags & 0x10 != 0
        container.isAnimated = flags & Int(Self.animationFlag) != 0
        announcesEXIF = flags & 0x08 != 0
        try limits.check(.webP, source: container.canvasSize)
    }

    /// Records the picture of a still file; ignores everything after it.
    private mutating func addPicture(_ bitstream: WebPBitstream, at range: Range<Int>) throws(WebImageError) {
        guard container.frames.isEmpty else { return }
        if container.canvasSize.isEmpty {
            container.canvasSize = bitstream.size
            container.hasAlpha = bitstream.hasAlpha
        }
        guard container.canvasSize == bitstream.size else {
            throw .damaged(.webP, "its canvas is \(container.canvasSize) and its picture \(bitstream.size)")
        }
        container.frames = [WebPFrame(bitstream: bitstream, dataRange: range)]
    }
}

extension WebPReader {
    /// Reads an ANMF chunk (RFC 9649 §2.7.1.1).
    private func frame(_ chunk: inout ByteReader) throws(WebImageError) -> WebPFrame {
        let left = try chunk.littleEndian(bytes: 3) * 2
        let top = try chunk.littleEndian(bytes: 3) * 2
        let size = PixelSize(
            width: try chunk.littleEndian(bytes: 3) + 1, height: try chunk.littleEndian(bytes: 3) + 1)
        let duration = try chunk.littleEndian(bytes: 3)
        let flags = try chunk.byte()
        let (bitstream, range) = try picture(&chunk)
        let canvas = container.canvasSize
        guard bitstream.size == size, left + size.width <= canvas.width, top + size.height <= canvas.height else {
            throw .damaged(.webP, "a frame of \(size) pixels is not what its header says or leaves the canvas")
        }
        return WebPFrame(
            left: left, top: top, duration: duration, isBlended: flags & 2 == 0,
            isDisposedToBackground: flags & 1 != 0, bitstream: bitstream, dataRange: range)
    }

    /// The pixels inside an ANMF chunk.
    private func picture(_ chunks: inout ByteReader) throws(WebImageError) -> (WebPBitstream, Range<Int>) {
        var alphaStart: Int?
        while !chunks.isAtEnd {
            let start = chunks.offset
            let type = try chunks.fourCharacterCode()
            let length = try chunks.littleEndian(bytes: 4)
            let content = try chunks.range(count: length)
            var chunk = ByteReader(chunks.data, format: .webP, range: content)
            switch type {
            case "ALPH": alphaStart = start
            case "VP8 ":
                return (try .lossy(&chunk, hasAlpha: alphaStart != nil), (alphaStart ?? start)..<content.upperBound)
            case "VP8L": return (try .lossless(&chunk), start..<content.upperBound)
            default: break
            }
            try chunks.skip(min(length & 1, chunks.remaining))
        }
        throw .damaged(.webP, "a frame has no pixels")
    }
}
