import CJXL
import FoundationEssentials
import WebImage

/// libjxl's encoder of one file. Belongs to one thread.
final class JXLCompressor {
    /// 1 is the fastest, 9 the slowest; libjxl's own default, 7, takes three times as long for a few hundredths less.
    private static let effort: Int64 = 5
    private static let outputByteCount = 64 << 10

    private let encoder: OpaquePointer
    private let settings: OpaquePointer
    private let isOpaque: Bool

    /// - Parameters:
    ///   - quality: 0 to 1; nil for lossless.
    ///   - playCount: How often an animation plays, 0 for ever; nil for a still picture.
    init(
        size: PixelSize, isOpaque: Bool, quality: Double?, playCount: Int? = nil
    ) throws(WebImageError) {
        guard let encoder = JxlEncoderCreate(nil) else { throw Self.failure("memory is short") }
        guard let settings = JxlEncoderFrameSettingsCreate(encoder, nil) else {
            JxlEncoderDestroy(encoder)
            throw Self.failure("memory is short")
        }
        self.encoder = encoder
        self.settings = settings
        self.isOpaque = isOpaque
        try describe(size, isLossless: quality == nil, playCount)
        JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, Self.effort)
        guard let quality else {
            try check(JxlEncoderSetFrameLossless(settings, JXL_TRUE), "lossless pixels are refused")
            return
        }
        try check(JxlEncoderSetFrameDistance(settings, Self.distance(quality: quality)), "the quality is refused")
    }

    deinit { JxlEncoderDestroy(encoder) }

    /// The distance of just noticeable differences for a quality of 0 to 1, by the formula that libjxl has from version
    /// 0.8 on (`JxlEncoderDistanceFromQuality`), except that the best lossy quality is not lossless.
    static func distance(quality: Double) -> Float {
        let percent = quality * 100
        let distance =
            percent >= 30
            ? 0.1 + (100 - percent) * 0.09 : 53.0 / 3000 * percent * percent - 23.0 / 20 * percent + 25
        return Float(min(max(distance, 0.1), 15))
    }

    /// Encodes a picture.
    ///
    /// - Parameter milliseconds: How long it is shown in an animation; nil for a still picture.
    func add(_ bitmap: Bitmap, milliseconds: Int?) throws(WebImageError) {
        if let milliseconds {
            var header = JxlFrameHeader()
            JxlEncoderInitFrameHeader(&header)
            header.duration = UInt32(clamping: milliseconds)
            try check(JxlEncoderSetFrameHeader(settings, &header), "the duration is refused")
        }
        var format = JxlPixelFormat(
            num_channels: isOpaque ? 3 : 4, data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN, align: 0)
        try bitmap.withStraightPixels { base, bytesPerRow throws(WebImageError) in
            let channels = Int(format.num_channels)
            guard let packed = PixelBuffer(byteCount: bitmap.size.area * channels) else {
                throw Self.failure("memory is short")
            }
            for y in 0..<bitmap.size.height {
                let (from, to) = (base + y * bytesPerRow, packed.base + y * bitmap.size.width * channels)
                for x in 0..<bitmap.size.width { (to + x * channels).update(from: from + x * 4, count: channels) }
            }
            let status = JxlEncoderAddImageFrame(settings, &format, packed.base, bitmap.size.area * channels)
            try check(status, "the pixels are refused")
        }
    }

    /// The file.
    func finish() throws(WebImageError) -> Data {
        JxlEncoderCloseInput(encoder)
        var file = Data()
        var buffer = [UInt8](repeating: 0, count: Self.outputByteCount)
        var status = JXL_ENC_NEED_MORE_OUTPUT
        while status == JXL_ENC_NEED_MORE_OUTPUT {
            let count = buffer.withUnsafeMutableBufferPointer { buffer in
                var next = buffer.baseAddress
                var room = buffer.count
                status = JxlEncoderProcessOutput(encoder, &next, &room)
                return buffer.count - room
            }
            file.append(contentsOf: buffer[..<count])
        }
        try check(status, "it gave up")
        return file
    }

    private func describe(_ size: PixelSize, isLossless: Bool, _ playCount: Int?) throws(WebImageError) {
        var info = JxlBasicInfo()
        JxlEncoderInitBasicInfo(&info)
        info.xsize = UInt32(clamping: size.width)
        info.ysize = UInt32(clamping: size.height)
        info.uses_original_profile = isLossless ? JXL_TRUE : JXL_FALSE
        if !isOpaque {
            info.alpha_bits = 8
            info.num_extra_channels = 1
        }
        if let playCount {
            info.have_animation = JXL_TRUE
            info.animation.tps_numerator = 1000
            info.animation.tps_denominator = 1
            info.animation.num_loops = UInt32(clamping: playCount)
        }
        try check(JxlEncoderSetBasicInfo(encoder, &info), "\(size) pixels are refused")
        var colors = JxlColorEncoding()
        JxlColorEncodingSetToSRGB(&colors, JXL_FALSE)
        try check(JxlEncoderSetColorEncoding(encoder, &colors), "sRGB is refused")
    }

    private func check(_ status: JxlEncoderStatus, _ finding: String) throws(WebImageError) {
        guard status == JXL_ENC_SUCCESS else { throw Self.failure(finding) }
    }

    private static func failure(_ finding: String) -> WebImageError { .notEncoded(.jpegXL, "libjxl says: \(finding)") }
}
