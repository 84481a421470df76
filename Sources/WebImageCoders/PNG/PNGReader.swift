import FoundationEssentials
import WebImageCore

/// Reads the chunks of a PNG file (PNG §5) without decoding pixels. libpng verifies the checksums.
struct PNGReader {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private(set) var contents: PNGContents
    private var isPastPixels = false

    /// Reads up to the first pixels and, where relevant data follow them, further: a complete file may have its eXIf
    /// chunk at the end, and an animation has its frames there, which ``APNGReader`` reads.
    ///
    /// - Throws: ``WebImageError/Code/truncatedImageData`` where the file ends too early,
    ///   ``WebImageError/Code/badImageData``, and ``WebImageError/Code/limitExceeded`` at the frame limit.
    static func contents(
        of data: Data, isComplete: Bool, limits: ImageLimits
    ) throws(WebImageError) -> PNGContents {
        var bytes = ByteReader(data, format: .png)
        var reader = try PNGReader(&bytes, limits: limits)
        do throws(WebImageError) {
            while !reader.isPastPixels || isComplete || reader.contents.animation != nil {
                if try reader.readChunk(&bytes, limits: limits) == "IEND" { break }
            }
        } catch {
            // The pixels may be truncated, which the decoder will detect; the properties are known. An animation may be
            // truncated, too, but more data of an incomplete file may add frames.
            let isKnown = reader.isPastPixels && (isComplete || reader.contents.animation == nil)
            guard isKnown, error.code == .truncatedImageData || isComplete && error.code == .badImageData else {
                throw error
            }
        }
        return reader.contents
    }

    /// Reads the signature and the header; the other chunks follow.
    init(_ reader: inout ByteReader, limits: ImageLimits) throws(WebImageError) {
        guard try reader.bytes(count: Self.signature.count).elementsEqual(Self.signature) else {
            throw .damaged(.png, "it has no PNG signature")
        }
        guard try reader.bigEndian(bytes: 4) == 13, try reader.fourCharacterCode() == "IHDR" else {
            throw .damaged(.png, "it does not begin with a header")
        }
        contents = PNGContents(header: try PNGHeader(&reader))
        try reader.skip(Self.checkSumByteCount)
        try limits.check(.png, source: contents.header.size)
    }

    private static let checkSumByteCount = 4

    /// Whether the next chunk is one of pixels, as far as the data show.
    func isAtPixels(_ reader: ByteReader) -> Bool {
        var next = reader
        guard (try? next.skip(4)) != nil else { return false }
        return (try? next.fourCharacterCode()) == "IDAT"
    }

    /// Copies the bytes of chunks, because the file's buffer is about to be released.
    mutating func keepBytes() {
        contents.exif = contents.exif?.withUnsafeBytes { Data($0) }
        contents.embeddedProfile = contents.embeddedProfile?.withUnsafeBytes { Data($0) }
    }

    /// Reads the next chunk.
    ///
    /// - Throws: ``WebImageError/Code/truncatedImageData`` where it is incomplete; then only the beginning of the
    ///   pixels is recognised.
    mutating func readChunk(
        _ reader: inout ByteReader, limits: ImageLimits
    ) throws(WebImageError) -> FourCharacterCode {
        let length = try reader.bigEndian(bytes: 4)
        let type = try reader.fourCharacterCode()
        if type == "IDAT" { isPastPixels = true }
        guard length < 1 << 31 else { throw .damaged(.png, "a chunk claims \(length) bytes") }
        if type == "IEND", !isPastPixels { throw .damaged(.png, "it has no pixels") }
        var chunk = ByteReader(reader.data, format: .png, range: try reader.range(count: length))
        try reader.skip(Self.checkSumByteCount)
        try read(&chunk, of: type, limits: limits)
        return type
    }

    private mutating func read(
        _ chunk: inout ByteReader, of type: FourCharacterCode, limits: ImageLimits
    ) throws(WebImageError) {
        switch type {
        case "tRNS": contents.hasTransparency = true
        case "iCCP": contents.embeddedProfile = try chunk.bytes(count: chunk.remaining)
        case "eXIf": contents.exif = try chunk.bytes(count: chunk.remaining)
        case "acTL" where !isPastPixels && chunk.remaining == 8:
            let frameCount = try chunk.bigEndian(bytes: 4)
            guard frameCount <= limits.maximumFrameCount else { throw .tooManyFrames(.png, limits) }
            guard frameCount > 0 else { return }
            contents.animation = .init(frameCount: frameCount, playCount: try chunk.bigEndian(bytes: 4))
        default: if !isPastPixels { try contents.colors.read(&chunk, of: type) }
        }
    }
}
