import CDeflate
import FoundationEssentials
import WebImageCore

/// Collects the frames of an animated PNG, chunk by chunk, without decoding pixels.
///
/// Like in browsers, an animation with a sequence error ends before the error; with fewer than two frames left it is
/// shown as a still picture.
struct APNGReader {
    private(set) var contents: APNGContents?
    /// Whether no more frames can come.
    private(set) var isAtEnd = false
    /// Whether the pixels of the default image have begun; an animation must be declared before them.
    private(set) var isPastHeader = false

    /// The frame whose pixels are arriving.
    private var open: APNGFrame?
    private var nextSequenceNumber = 0
    private let limits: ImageLimits

    private static let checkSumByteCount = 4

    init(limits: ImageLimits) { self.limits = limits }

    /// Whether an animation was declared.
    var isAnimation: Bool { contents?.picture.animation != nil }

    /// Reads the whole file; nil when it is a still picture.
    ///
    /// - Throws: ``WebImageError/Code/truncatedImageData`` where an animation ends too early, and as ``PNGReader``.
    static func contents(of data: Data, limits: ImageLimits) throws(WebImageError) -> APNGContents? {
        var reader = APNGReader(limits: limits)
        var bytes = ByteReader(data, format: .png)
        while !reader.isAtEnd {
            try reader.readChunk(&bytes)
            if reader.isPastHeader, !reader.isAnimation { return nil }
        }
        if reader.contents?.picture.exif == nil { reader.contents?.picture.exif = try exif(in: data, limits) }
        return reader.contents
    }

    /// An eXIf chunk may follow the last frame (PNG third edition §11.3.4), which ends the reading of frames.
    private static func exif(in data: Data, _ limits: ImageLimits) throws(WebImageError) -> Data? {
        try PNGReader.contents(of: data, isComplete: true, limits: limits).exif
    }

    /// Reads the next chunk, at first the signature and the header.
    ///
    /// - Throws: ``WebImageError/Code/truncatedImageData`` where it is incomplete; the reader is unchanged then.
    mutating func readChunk(_ reader: inout ByteReader) throws(WebImageError) {
        guard contents != nil else { return try readHeader(&reader) }
        let length = try reader.bigEndian(bytes: 4)
        let type = try reader.fourCharacterCode()
        guard length < 1 << 31 else { throw .damaged(.png, "a chunk claims \(length) bytes") }
        let content = reader.data[in: try reader.range(count: length)]
        let checkSum = UInt32(try reader.bigEndian(bytes: Self.checkSumByteCount))
        try take(type, content, checkSum)
    }

    /// Copies the last chunk's bytes, because the file's buffer is about to be released.
    mutating func keepLastChunk() {
        guard let last = open?.chunks.indices.last else { return }
        let content = open?.chunks[last].content.withUnsafeBytes { Data($0) }
        open?.chunks[last].content = content ?? Data()
    }
}

extension APNGReader {
    private mutating func readHeader(_ reader: inout ByteReader) throws(WebImageError) {
        guard try reader.bytes(count: PNGReader.signature.count).elementsEqual(PNGReader.signature) else {
            throw .damaged(.png, "it has no PNG signature")
        }
        guard try reader.bigEndian(bytes: 4) == 13, try reader.fourCharacterCode() == "IHDR" else {
            throw .damaged(.png, "it does not begin with a header")
        }
        let header = try PNGHeader(&reader)
        try reader.skip(Self.checkSumByteCount)
        contents = APNGContents(picture: PNGContents(header: header))
        try limits.check(.png, source: header.size)
    }

    private mutating func take(
        _ type: FourCharacterCode, _ content: Data, _ checkSum: UInt32
    ) throws(WebImageError) {
        switch type {
        case "IDAT":
            isPastHeader = true
            open?.chunks.append(.init(isFrameData: false, content: content, checkSum: checkSum))
        case "fcTL": try takeFrameControl(content)
        case "fdAT": takeFrameData(content, checkSum)
        case "IEND":
            closeFrame()
            isPastHeader = true
            isAtEnd = true
        case "acTL" where !isPastHeader: try takeAnimationControl(content)
        case "PLTE" where !isPastHeader: contents?.palette = Data(content)
        case "tRNS" where !isPastHeader:
            contents?.transparency = Data(content)
            contents?.picture.hasTransparency = true
        case "iCCP" where !isPastHeader: contents?.picture.embeddedProfile = Data(content)
        case "eXIf": contents?.picture.exif = Data(content)
        default:
            guard !isPastHeader else { return }
            var reader = ByteReader(content, format: .png)
            try contents?.picture.colors.read(&reader, of: type)
        }
    }

    private mutating func takeAnimationControl(_ content: Data) throws(WebImageError) {
        var reader = ByteReader(content, format: .png)
        guard content.count == 8 else { return }
        let frameCount = try reader.bigEndian(bytes: 4)
        guard frameCount <= limits.maximumFrameCount else { throw .tooManyFrames(.png, limits) }
        guard frameCount > 0 else { return }
        contents?.picture.animation = .init(frameCount: frameCount, playCount: try reader.bigEndian(bytes: 4))
    }

    private mutating func takeFrameControl(_ content: Data) throws(WebImageError) {
        let hadDefaultImage = isPastHeader
        closeFrame()
        var reader = ByteReader(content, format: .png)
        guard !isAtEnd, let contents, content.count == APNGFrameControl.byteCount,
            let control = try APNGFrameControl(&reader, hasAlpha: contents.picture.hasAlpha),
            control.sequenceNumber == nextSequenceNumber,
            control.fits(contents.picture.header.size, isDefaultImage: !hadDefaultImage)
        else { return end() }
        nextSequenceNumber += 1
        open = APNGFrame(description: control.description)
    }

    private mutating func takeFrameData(_ content: Data, _ checkSum: UInt32) {
        var reader = ByteReader(content, format: .png)
        guard isPastHeader, open != nil, let number = try? reader.bigEndian(bytes: 4), number == nextSequenceNumber
        else {
            return end()
        }
        nextSequenceNumber += 1
        open?.chunks.append(.init(isFrameData: true, content: content, checkSum: checkSum))
    }

    /// The current frame is complete.
    private mutating func closeFrame() {
        guard let frame = open else { return }
        open = nil
        // Two frame controls in a row: an error, except before the default image.
        guard !frame.chunks.isEmpty else { return end() }
        contents?.frames.append(frame)
        if let count = contents?.picture.animation?.frameCount, contents?.frames.count == count { isAtEnd = true }
    }

    /// Ignores everything after a sequence error.
    private mutating func end() {
        open = nil
        isAtEnd = isPastHeader
    }
}
