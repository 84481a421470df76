import FoundationEssentials

/// The chunks of a still WebP file before its pixels, as they come. Each of them is read once.
struct IncomingWebPHead {
    /// All that has come: whoever decodes the pixels finds them in it.
    private(set) var bytes = Data()
    private var reader: WebPReader?
    /// Where the first chunk begins that was not read yet.
    private var offset = 0

    /// Takes the next bytes.
    ///
    /// - Returns: What stands before the pixels, with where they are; nil when that is not all there yet.
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

    /// What was not read yet, up to the file's end as its header has it.
    private mutating func chunks(limits: ImageLimits) throws(WebImageError) -> ByteReader {
        if reader == nil {
            var rest = ByteReader(bytes, format: .webP)
            reader = try WebPReader(&rest, limits: limits)
            offset = rest.offset
        }
        let end = reader?.declaredEnd ?? bytes.count
        return ByteReader(bytes, format: .webP, range: offset..<max(offset, end))
    }

    /// Reads a chunk; the reader where that is the pixels'.
    private mutating func readerAtPixels(_ rest: inout ByteReader) throws(WebImageError) -> WebPReader? {
        do throws(WebImageError) {
            let type = try reader?.readChunk(&rest)
            // Parts of what has come would have all of it copied when more comes.
            if type == "ICCP" || type == "EXIF" { reader?.keepBytes() }
        } catch {
            // An error behind the beginning of the pixels is that the rest is missing.
            guard reader?.container.frames.isEmpty == false else { throw error }
        }
        guard let reader, let pixels = reader.container.frames.first else { return nil }
        guard pixels.dataRange.upperBound <= reader.declaredEnd else {
            throw .damaged(.webP, "its pixels end after the file")
        }
        return reader
    }
}
