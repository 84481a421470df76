import FoundationEssentials
import WebImageCore

/// The chunks of a PNG file before its pixels, as they arrive. Each of them is read once.
struct IncomingPNGHead {
    /// All bytes so far: the decoder of the pixels reads them from the beginning.
    private(set) var bytes = Data()
    private var reader: PNGReader?
    /// The offset of the first unread chunk.
    private var offset = 0

    /// Appends the next bytes.
    ///
    /// - Returns: The chunks before the pixels; nil while they are incomplete.
    mutating func append(_ newBytes: Data, options: ImageDecodeOptions) throws(WebImageError) -> PNGContents? {
        bytes.append(newBytes)
        var rest = ByteReader(bytes, format: .png, range: offset..<bytes.count)
        return try FileBeginning.read { () throws(WebImageError) in
            while true {
                try options.checkCancellation()
                if let reader, reader.isAtPixels(rest) { return reader.contents }
                try readChunk(&rest, limits: options.limitsOfFirstFrame)
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
        // A slice of the bytes would force a copy of all of them at the next append.
        if type == "iCCP" || type == "eXIf" { reader?.keepBytes() }
    }
}
