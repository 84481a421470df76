import CJPEG
import FoundationEssentials

/// libjpeg-turbo's decoder for one file. Belongs to one thread; the only place that knows its C face.
final class JPEGDecompressor {
    let header: JPEGHeader

    private let decoder: OpaquePointer

    /// Reads the header. nil when `bytes` are only the beginning of a file and end before the header does.
    ///
    /// - Parameter bytes: Must stay valid as long as this object.
    init?(bytes: UnsafeRawBufferPointer, isComplete: Bool) throws(WebImageError) {
        let start = bytes.bindMemory(to: UInt8.self).baseAddress
        guard let decoder = webimage_jpeg_decoder_create(start, bytes.count, isComplete) else {
            throw .jpegOutOfMemory
        }
        self.decoder = decoder
        var header = webimage_jpeg_header()
        let status = webimage_jpeg_read_header(decoder, &header)
        self.header = JPEGHeader(header)
        if status == WEBIMAGE_JPEG_INCOMPLETE { return nil }
        try check(status)
    }

    deinit { webimage_jpeg_decoder_destroy(decoder) }

    /// Chooses the smallest picture that the decoder can make that is not smaller than `target` on either side.
    ///
    /// - Returns: What the rows to come will be.
    func setScale(for target: PixelSize) throws(WebImageError) -> PixelSource {
        let eighths = header.eighths(for: target)
        var width: UInt32 = 0
        var height: UInt32 = 0
        try check(webimage_jpeg_set_scale(decoder, UInt32(eighths), &width, &height))
        return PixelSource(
            size: PixelSize(width: Int(width), height: Int(height)), covered: header.extent(eighths: eighths),
            layout: header.isCMYK ? .invertedCMYK : .rgba, isOpaque: true, profile: header.profile)
    }

    /// Does what comes before the first row, which is nearly all of the work for a progressive file.
    func prepareRows(_ options: ImageDecodeOptions) throws(WebImageError) {
        let limit = UInt32(clamping: options.limits.maximumScanCount)
        while true {
            try options.checkCancellation()
            switch webimage_jpeg_prepare_rows(decoder, limit) {
            case WEBIMAGE_JPEG_OK: return
            case WEBIMAGE_JPEG_MORE: continue
            case WEBIMAGE_JPEG_TOO_MANY_SCANS: throw .tooManyScans(limit: options.limits.maximumScanCount)
            case let status: try check(status)
            }
        }
    }

    /// Reads the next row of 4 bytes per pixel.
    func read(into row: UnsafeMutablePointer<UInt8>) throws(WebImageError) {
        try check(webimage_jpeg_read_row(decoder, row))
    }

    private func check(_ status: webimage_jpeg_status) throws(WebImageError) {
        switch status {
        case WEBIMAGE_JPEG_OK, WEBIMAGE_JPEG_MORE: return
        case WEBIMAGE_JPEG_TRUNCATED: throw .truncated(.jpeg)
        default: throw .damaged(.jpeg, String(cString: webimage_jpeg_decoder_message(decoder)))
        }
    }
}

extension JPEGHeader {
    fileprivate init(_ header: webimage_jpeg_header) {
        size = PixelSize(width: Int(header.width), height: Int(header.height))
        bitsPerChannel = Int(header.bits_per_channel)
        isCMYK = header.is_cmyk
        hasMultipleScans = header.has_multiple_scans
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
