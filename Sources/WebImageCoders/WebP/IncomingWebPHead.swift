import FoundationEssentials
import WebImageCore

/// The chunks of a still WebP file before its pixels, as they arrive. Each of them is read once.
struct IncomingWebPHead {
    /// All bytes so far, for the decoder of the pixels.
    private(set) var bytes = Data()
    private var reader: WebPReader?
    /// The offset of the first unread chunk.
    private var offset = 0

    /// Appends the next bytes.
    ///
    /// - Returns: The chunks before the pixels, and the pixels' offset; nil while they are incomplete.
    mutating func append(_ newBytes: Data, options: ImageDecodeOptions) throws(WebImageError) -> WebPReader? {
        bytes.append(newBytes)
        return try FileBeginning.read { () throws(WebImageError) in
            var rest = try chunks(limits: options.limits)
            while true {
                try options.checkCancellation()
                if let reader = try readerAtPixels(&rest) { return reader }
                offset = rest.offset
            }
        }
    }

    /// The unread bytes, up to the file's end in its header.
    private mutating func chunks(limits: ImageLimits) throws(WebImageError) -> ByteReader {
        if reader == nil {
            var rest = ByteReader(bytes, format: .webP)
            reader = try WebPReader(&rest, limits: limits)
            offset = rest.offset
        }
        let end = reader?.declaredEnd ?? bytes.count
        return ByteReader(bytes, format: .webP, range: offset..<max(offset, end))
    }

    /// Reads a chunk; returns the reader when it is that of the pixels.
    private mutating func readerAtPixels(_ rest: inout ByteReader) throws(WebImageError) -> WebPReader? {
        do throws(WebImageError) {
            let type = try reader?.readChunk(&rest)
            // A slice of the bytes would force a copy of all of them at the next append.
            if type == "ICCP" || type == "EXIF" { reader?.keepBytes() }
        } catch {
            // An error after the beginning of the pixels means that the rest has not arrived.
            guard reader?.container.frames.isEmpty == false else { throw error }
        }
        guard let reader, let pixels = reader.container.frames.first else { return nil }
        guard pixels.dataRange.upperBound <= reader.declaredEnd else {
            throw .damaged(.webP, "its pixels end after the file")
        }
        return reader
    }
}
