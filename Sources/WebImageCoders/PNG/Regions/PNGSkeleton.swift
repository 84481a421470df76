import FoundationEssentials
import WebImageCore

/// The chunks of a file without its pixels: what it takes to know what the pixels are, however large the file is.
struct PNGSkeleton {
    /// A file of the same chunks, with an empty one for all pixels.
    private(set) var data: Data
    private var hasPixels = false

    private static let largestByteCount = 32 << 20
    private static let overhead = 12

    /// Reads the head of each chunk.
    init(_ file: RandomAccessFile) throws(WebImageError) {
        data = Data(try file.bytes(at: 0, count: PNGReader.signature.count))
        var offset = data.count
        while true {
            let head = try file.bytes(at: offset, count: 8)
            // Pixels may be cut off, which their decoder finds.
            guard head.count == 8 else { break }
            let length = head.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            let type = Array(head.suffix(4))
            try take(type, offset..<offset + Self.overhead + length, of: file)
            offset += Self.overhead + length
            if type.elementsEqual("IEND".utf8) { break }
        }
        guard hasPixels else { throw .truncated(.png) }
    }

    private mutating func take(
        _ type: [UInt8], _ chunk: Range<Int>, of file: RandomAccessFile
    ) throws(WebImageError) {
        if type.elementsEqual("IDAT".utf8) {
            guard !hasPixels else { return }
            hasPixels = true
            return data.append(contentsOf: [0, 0, 0, 0] + Array("IDAT".utf8) + [0x35, 0xAF, 0x06, 0x1E])
        }
        // The frames of an animation are not those of the default image.
        let isSkipped = ["fdAT", "fcTL", "acTL"].contains { type.elementsEqual($0.utf8) }
        guard !isSkipped else { return }
        guard data.count + chunk.count <= Self.largestByteCount else {
            throw .unsupported(.png, "it has more than \(Self.largestByteCount >> 20) MiB of other chunks")
        }
        data.append(contentsOf: try file.bytes(at: chunk.lowerBound, count: chunk.count))
    }
}
