import CJPEG
import FoundationEssentials
import WebImageCore
import WebImagePixels

/// A JPEG file that is read piece by piece, so that it is never in memory as a whole. One thread at a time.
struct JPEGFileSource {
    let header: JPEGHeader
    private let decompressor: JPEGDecompressor
    private let file: RandomAccessFile
    private var offset: Int

    private static let pieceByteCount = 1 << 18
    /// The most bytes before the first scan.
    private static let largestHead = 64 << 20

    /// Reads the header.
    init(_ file: RandomAccessFile) throws(WebImageError) {
        decompressor = try JPEGDecompressor()
        self.file = file
        var (offset, found): (Int, JPEGHeader?) = (0, nil)
        while found == nil {
            guard offset < Self.largestHead else { throw .damaged(.jpeg, "its header has no end") }
            offset += try Self.append(to: decompressor, file, at: offset)
            found = try decompressor.readHeader()
        }
        guard let found else { throw .truncated(.jpeg) }
        header = found
        self.offset = offset
    }

    private static func append(
        to decompressor: JPEGDecompressor, _ file: RandomAccessFile, at offset: Int
    ) throws(WebImageError) -> Int {
        guard offset <= file.byteCount else { throw .truncated(.jpeg) }
        let isAtEnd = offset == file.byteCount
        // A file with all rows may lack the end marker.
        let bytes = isAtEnd ? [0xFF, 0xD9] : try file.bytes(at: offset, count: pieceByteCount)
        guard !bytes.isEmpty else { throw .truncated(.jpeg) }
        try bytes.span.bytes.withUnsafeBytes { bytes throws(WebImageError) in try decompressor.append(bytes) }
        return bytes.count
    }

    /// The tables of the scan; nil for a file whose regions cannot be decoded.
    func makeMap() -> JPEGMap? { decompressor.makeMap(byteCount: offset) }

    /// Decodes the whole picture. Call it once.
    @discardableResult
    mutating func decode(_ options: ImageDecodeOptions) throws(WebImageError) -> Bitmap {
        let plan = try JPEGDecodePlan(header, of: decompressor, options: options)
        var isReady = false
        while !isReady {
            isReady = try decompressor.startWhereReady()
            if !isReady { try readMore() }
        }
        guard header.hasMultipleScans else { return try readRows(plan) }
        var progress = JPEGDecompressor.ScanProgress()
        while !progress.isAtEnd {
            progress = try decompressor.readScans(options)
            if !progress.isAtEnd { try readMore() }
            // Later scans would be missing.
            guard offset <= file.byteCount else { throw .truncated(.jpeg) }
        }
        return try plan.readPass(of: decompressor, afterScan: progress.completeCount, smoothsBlocks: true)
    }

    private mutating func readRows(_ plan: JPEGDecodePlan) throws(WebImageError) -> Bitmap {
        let (decompressor, file) = (decompressor, file)
        var offset = offset
        return try plan.assembler.assembleRows { rows throws(WebImageError) in
            while rows.remaining > 0 {
                try rows.withNext { row throws(WebImageError) in
                    var isRead = false
                    while !isRead {
                        isRead = try decompressor.read(into: row)
                        if !isRead { offset += try Self.append(to: decompressor, file, at: offset) }
                    }
                }
            }
        }
    }

    private mutating func readMore() throws(WebImageError) {
        offset += try Self.append(to: decompressor, file, at: offset)
    }
}
