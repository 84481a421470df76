import CJPEG
import FoundationEssentials

/// libjpeg-turbo's decoder for one file. Belongs to one thread at a time; the only place that knows its C face.
///
/// The header comes first, then the scale, then ``start()``; then rows, in a file with multiple scans after reading
/// those and starting a pass.
final class JPEGDecompressor {
    private let decoder: OpaquePointer

    /// A decoder of a whole file, or of the beginning of one.
    ///
    /// - Parameter bytes: Must stay valid as long as this object.
    init(bytes: UnsafeRawBufferPointer, isComplete: Bool) throws(WebImageError) {
        let start = bytes.bindMemory(to: UInt8.self).baseAddress
        guard let decoder = webimage_jpeg_decoder_create(start, bytes.count, isComplete) else {
            throw .jpegOutOfMemory
        }
        self.decoder = decoder
    }

    /// A decoder of a file that is still to come; see ``append(_:)``.
    convenience init() throws(WebImageError) {
        try self.init(bytes: UnsafeRawBufferPointer(start: nil, count: 0), isComplete: false)
    }

    deinit { webimage_jpeg_decoder_destroy(decoder) }

    /// Adds a copy of the next bytes of a file. What gave up for want of bytes can then be called again.
    func append(_ bytes: UnsafeRawBufferPointer) throws(WebImageError) {
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
        try check(webimage_jpeg_append(decoder, start, bytes.count))
    }

    /// Reads up to the first scan; nil while the bytes end before the header does.
    func readHeader() throws(WebImageError) -> JPEGHeader? {
        var header = webimage_jpeg_header()
        let status = webimage_jpeg_read_header(decoder, &header)
        return try isDone(status) ? JPEGHeader(header) : nil
    }

    /// Chooses the smallest picture that the decoder makes well that is not smaller than `target` on either side. One of
    /// just that size, reduced, is made as `djpeg -scale n/8 -nosmooth` does.
    ///
    /// - Returns: What the rows to come will be.
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

    /// Gets ready for pixels.
    func start() throws(WebImageError) { try check(webimage_jpeg_start(decoder)) }

    /// Reads the next row of 4 bytes per pixel; false when its bytes are still to come.
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

    /// 12 bits, lossless and other processes, which the system's library may lack.
    private static func failure(_ message: String) -> WebImageError {
        message.hasPrefix("Unsupported JPEG") ? .unsupported(.jpeg, message) : .damaged(.jpeg, message)
    }
}

// MARK: - Multiple scans

extension JPEGDecompressor {
    /// How far the scans have been read.
    struct ScanProgress {
        /// Scans that a pass can show in full.
        var completeCount = 0
        /// No more scans will come.
        var isAtEnd = false
        /// Enough is known: more scans are not wanted.
        var isSufficient = false
    }

    /// Reads scans until the bytes end or the file does, which is nearly all of the work for such a file, or until
    /// enough of it is known.
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

    /// Calls `readRows` to read all rows of the picture as it looks after scan `scan`, which is complete.
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
    /// A copy of what the decoder found; nil when it found nothing.
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
