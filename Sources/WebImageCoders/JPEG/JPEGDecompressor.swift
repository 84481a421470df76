import CJPEG
import FoundationEssentials
import WebImageCore
import WebImagePixels

/// libjpeg-turbo's decoder for one file. Belongs to one thread at a time; the only user of the C decoder.
///
/// Read the header first, then set the scale, then call ``start()``. Then read rows; for a file with multiple scans,
/// read the scans and start a pass before that.
final class JPEGDecompressor {
    private let decoder: OpaquePointer

    /// A decoder of a complete file, or of the beginning of one.
    ///
    /// - Parameter bytes: Must stay valid for the lifetime of this object.
    init(bytes: UnsafeRawBufferPointer, isComplete: Bool) throws(WebImageError) {
        let start = bytes.bindMemory(to: UInt8.self).baseAddress
        guard let decoder = webimage_jpeg_decoder_create(start, bytes.count, isComplete) else {
            throw .jpegOutOfMemory
        }
        self.decoder = decoder
    }

    /// A decoder of a file in pieces; see ``append(_:)``.
    convenience init() throws(WebImageError) {
        try self.init(bytes: UnsafeRawBufferPointer(start: nil, count: 0), isComplete: false)
    }

    deinit { webimage_jpeg_decoder_destroy(decoder) }

    /// Appends a copy of the next bytes of a file. A call that stopped for want of bytes can then be repeated.
    func append(_ bytes: UnsafeRawBufferPointer) throws(WebImageError) {
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
        try check(webimage_jpeg_append(decoder, start, bytes.count))
    }

    /// Reads up to the first scan; nil while the header is incomplete.
    func readHeader() throws(WebImageError) -> JPEGHeader? {
        var header = webimage_jpeg_header()
        let status = webimage_jpeg_read_header(decoder, &header)
        return try isDone(status) ? JPEGHeader(header) : nil
    }

    /// Chooses the smallest scale that the decoder does well and that is not below `target` on either side. A reduced
    /// picture of exactly that size is decoded as by `djpeg -scale n/8 -nosmooth`.
    ///
    /// - Returns: The format of the rows.
    func setScale(for target: PixelSize, of header: JPEGHeader) throws(WebImageError) -> PixelSource {
        let eighths = header.eighths(for: target)
        var width: UInt32 = 0
        var height: UInt32 = 0
        let isExactReduction = eighths < 8 && header.scaled(byEighths: eighths) == target
        try check(webimage_jpeg_set_scale(decoder, UInt32(eighths), !isExactReduction, &width, &height))
        return PixelSource(
            size: PixelSize(width: Int(width), height: Int(height)), covered: header.extent(eighths: eighths),
            layout: header.isCMYK ? .invertedCMYK : .rgba, isOpaque: true,
            profile: header.profile?.forPixels(areGray: header.isGray))
    }

    /// Prepares for pixels.
    func start() throws(WebImageError) { try check(webimage_jpeg_start(decoder)) }

    /// Prepares for pixels; false when bytes for that have not arrived.
    func startWhereReady() throws(WebImageError) -> Bool { try isDone(webimage_jpeg_start(decoder)) }

    /// The tables of the scan, after the header; nil for a file whose blocks are not all in one scan of Huffman codes.
    ///
    /// - Parameter byteCount: The bytes appended so far.
    func makeMap(byteCount: Int) -> JPEGMap? {
        webimage_jpeg_map_create(decoder, UInt64(byteCount)).map { JPEGMap($0) }
    }

    /// Reads the next row of 4 bytes per pixel; false when its bytes have not arrived.
    func read(into row: UnsafeMutablePointer<UInt8>) throws(WebImageError) -> Bool {
        try isDone(webimage_jpeg_read_row(decoder, row))
    }

    private func isDone(_ status: webimage_jpeg_status) throws(WebImageError) -> Bool {
        if status == WEBIMAGE_JPEG_INCOMPLETE { return false }
        try check(status)
        return true
    }

    private func check(_ status: webimage_jpeg_status) throws(WebImageError) {
        switch status {
        case WEBIMAGE_JPEG_OK: return
        case WEBIMAGE_JPEG_TRUNCATED, WEBIMAGE_JPEG_INCOMPLETE: throw .truncated(.jpeg)
        case WEBIMAGE_JPEG_OUT_OF_MEMORY: throw .jpegOutOfMemory
        default: throw Self.failure(String(cString: webimage_jpeg_decoder_message(decoder)))
        }
    }

    /// 12 bits, lossless and other processes, which the system's library may not support.
    private static func failure(_ message: String) -> WebImageError {
        message.hasPrefix("Unsupported JPEG") ? .unsupported(.jpeg, message) : .damaged(.jpeg, message)
    }
}

// MARK: - Multiple scans

extension JPEGDecompressor {
    /// The progress of reading scans.
    struct ScanProgress {
        /// The number of scans that a pass can show completely.
        var completeCount = 0
        /// No more scans will come.
        var isAtEnd = false
        /// The precision suffices: no more scans are needed.
        var isSufficient = false
    }

    /// Reads scans up to the end of the bytes or the file, which is nearly all of the work for such a file, or until
    /// the precision suffices.
    func readScans(
        _ options: ImageDecodeOptions, until precision: webimage_jpeg_precision? = nil
    ) throws(WebImageError) -> ScanProgress {
        let limit = options.limits.maximumScanCount
        var count: UInt32 = 0
        while true {
            try options.checkCancellation()
            if let precision, webimage_jpeg_known_precision(decoder).rawValue >= precision.rawValue {
                return ScanProgress(completeCount: Int(count), isSufficient: true)
            }
            switch webimage_jpeg_read_scans(decoder, UInt32(clamping: limit), &count) {
            case WEBIMAGE_JPEG_OK: return ScanProgress(completeCount: Int(count), isAtEnd: true)
            case WEBIMAGE_JPEG_INCOMPLETE: return ScanProgress(completeCount: Int(count))
            case WEBIMAGE_JPEG_MORE: continue
            case WEBIMAGE_JPEG_TOO_MANY_SCANS: throw .tooManyScans(limit: limit)
            case let status: try check(status)
            }
        }
    }

    /// Calls `readRows` to read all rows of the picture in its state after scan `scan`, which is complete.
    func withPass<Result>(
        afterScan scan: Int, smoothsBlocks: Bool, _ readRows: () throws(WebImageError) -> Result
    ) throws(WebImageError) -> Result {
        try check(webimage_jpeg_start_pass(decoder, UInt32(clamping: scan), smoothsBlocks))
        let result = try readRows()
        try check(webimage_jpeg_finish_pass(decoder))
        return result
    }
}

extension JPEGHeader {
    fileprivate init(_ header: webimage_jpeg_header) {
        size = PixelSize(width: Int(header.width), height: Int(header.height))
        bitsPerChannel = Int(header.bits_per_channel)
        isCMYK = header.is_cmyk
        isGray = header.is_gray
        hasMultipleScans = header.has_multiple_scans
        isArithmetic = header.is_arithmetic
        orientation =
            Data(header.exif).flatMap(EXIFOrientation.find(in:)) ?? Data(header.xmp).flatMap(XMPOrientation.find(in:))
            ?? .up
        profile = Data(header.icc_profile).map { ColorProfile(bytes: $0) }
    }
}

extension Data {
    /// A copy of the decoder's bytes; nil when it has none.
    fileprivate init?(_ bytes: webimage_jpeg_bytes) {
        guard let start = bytes.start else { return nil }
        self.init(bytes: start, count: bytes.count)
    }
}

extension WebImageError {
    fileprivate static var jpegOutOfMemory: WebImageError {
        WebImageError(.limitExceeded, stage: .decode, kind: .policy, reason: "there is no memory for a JPEG decoder")
    }

    fileprivate static func tooManyScans(limit: Int) -> WebImageError {
        WebImageError(
            .limitExceeded, stage: .decode, kind: .policy,
            reason: "the JPEG file has more than \(limit) scans; raise ImageLimits.maximumScanCount to take it")
    }
}
