import FoundationEssentials

/// The chunks of a PNG file before its pixels, as they come. Each of them is read once.
struct IncomingPNGHead {
    /// All that has come: whoever decodes the pixels reads it from the beginning.
    private(set) var bytes = Data()
    private var reader: PNGReader?
    /// Where the first chunk begins that was not read yet.
    private var offset = 0

    /// Takes the next bytes.
    ///
    /// - Returns: What stands before the pixels; nil when that is not all there yet.
    mutating func append(_ newBytes: Data, options: ImageDecodeOptions) throws(WebImageError) -> PNGContents? {
        bytes.append(newBytes)
        var rest = ByteReader(bytes, format: .png, range: offset..<bytes.count)
        return try FileBeginning.read { () throws(WebImageError) in
            while true {
                try options.checkCancellation()
                if let reader, reader.isAtPixels(rest) { return reader.contents }
                try readChunk(&rest, limits: options.limits)
                offset = rest.offset
            }
        }
    }

    private mutating func readChunk(_ rest: inout ByteReader, limits: ImageLimits) throws(WebImageError) {
        guard reader != nil else {
            reader = try PNGReader(&rest, limits: limits)
            return
        }
        let type = try reader?.readChunk(&rest, limits: limits)
        // Parts of what has come would have all of it copied when more comes.
        if type == "iCCP" || type == "eXIf" { reader?.keepBytes() }
    }
}
