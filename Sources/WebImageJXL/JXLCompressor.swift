import CJXL
import FoundationEssentials
import WebImageCore
import WebImagePixels

/// libjxl's encoder of one file. Belongs to one thread.
final class JXLCompressor {
    /// 1 is the fastest, 9 the slowest; libjxl's own default, 7, takes three times as long for a few hundredths less.
    private static let effort: Int64 = 5
    /// The slowest effort that does not learn from all pixels at once, for which lossless pictures take 330 bytes a pixel.
    private static let frugalEffort: Int64 = 3
    private static let outputByteCount = 64 << 10

    private let encoder: OpaquePointer
    private let settings: OpaquePointer
    private let kind: Kind
    private var file = Data()
    /// Whether a frame was added that is not encoded yet.
    private var holdsFrame = false

    /// The properties that all frames of a file share.
    struct Kind {
        let size: PixelSize
        let isOpaque: Bool
        let depth: PixelDepth
        let colorSpace: ColorSpace
        /// The peak luminance in cd/m²; 0 for libjxl's default.
        let peakLuminance: Double

        var bitCount: UInt32 { depth == .sixteen ? 16 : 8 }

        /// The memory for encoding one frame, measured with libjxl 0.7 and rounded up, with copies of its pixels.
        ///
        /// - Parameter isFrugal: Whether memory has precedence over the size of a lossless file.
        func encoderByteCount(isLossless: Bool, isFrugal: Bool) -> Int {
            let channels = isOpaque ? 3 : 4
            // libjxl works on blocks of 32 pixels.
            let area = (size.width + 31) / 32 * 32 * ((size.height + 31) / 32 * 32)
            let copies = (4 + channels) * (depth == .sixteen ? 2 : 1)
            let lossless = isFrugal ? channels * 27 : 330
            return area * (copies + (isLossless ? lossless : channels * 18 + 24))
        }
    }

    /// - Parameters:
    ///   - quality: 0 to 1; nil for lossless.
    ///   - playCount: The number of plays of an animation, 0 for endless; nil for a still picture.
    ///   - isFrugal: Whether memory has precedence over the size of a lossless file.
    init(_ kind: Kind, quality: Double?, playCount: Int? = nil, isFrugal: Bool = false) throws(WebImageError) {
        guard let encoder = JxlEncoderCreate(nil) else { throw Self.failure("memory is short") }
        guard let settings = JxlEncoderFrameSettingsCreate(encoder, nil) else {
            JxlEncoderDestroy(encoder)
            throw Self.failure("memory is short")
        }
        self.encoder = encoder
        self.settings = settings
        self.kind = kind
        try describe(isLossless: quality == nil, playCount)
        try describeColors()
        let effort = isFrugal && quality == nil ? Self.frugalEffort : Self.effort
        JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, effort)
        guard let quality else {
            try check(JxlEncoderSetFrameLossless(settings, JXL_TRUE), "lossless pixels are refused")
            return
        }
        try check(JxlEncoderSetFrameDistance(settings, Self.distance(quality: quality)), "the quality is refused")
    }

    deinit { JxlEncoderDestroy(encoder) }

    /// The Butteraugli distance for a quality of 0 to 1, by the formula of libjxl 0.8
    /// (`JxlEncoderDistanceFromQuality`), except that the best lossy quality is not lossless.
    static func distance(quality: Double) -> Float {
        let percent = quality * 100
        let distance =
            percent >= 30
            ? 0.1 + (100 - percent) * 0.09 : 53.0 / 3000 * percent * percent - 23.0 / 20 * percent + 25
        return Float(min(max(distance, 0.1), 15))
    }

    /// Encodes a picture.
    ///
    /// - Parameter milliseconds: The duration of a frame; nil for a still picture.
    func add(_ bitmap: Bitmap, milliseconds: Int?) throws(WebImageError) {
        // libjxl holds the frames that it is given, with 16 bytes a pixel, until their bytes are asked for; but it must
        // be told of the last one before.
        if holdsFrame { try drain() }
        if let milliseconds {
            var header = JxlFrameHeader()
            JxlEncoderInitFrameHeader(&header)
            header.duration = UInt32(clamping: milliseconds)
            try check(JxlEncoderSetFrameHeader(settings, &header), "the duration is refused")
        }
        switch kind.depth {
        case .eight:
            try bitmap.withStraightPixels(in: kind.colorSpace) { base, bytesPerRow throws(WebImageError) in
                try add(UnsafeRawPointer(base), bytesPerRow: bytesPerRow, bytesPerChannel: 1)
            }
        case .sixteen:
            try bitmap.withDeepStraightPixels { channels throws(WebImageError) in
                guard let base = channels.baseAddress else { throw Self.failure("memory is short") }
                try add(UnsafeRawPointer(base), bytesPerRow: bitmap.size.width * 8, bytesPerChannel: 2)
            }
        }
    }

    /// - Parameter base: RGBA; alpha is left out for an opaque picture.
    private func add(_ base: UnsafeRawPointer, bytesPerRow: Int, bytesPerChannel: Int) throws(WebImageError) {
        let (width, height) = (kind.size.width, kind.size.height)
        var format = JxlPixelFormat(
            num_channels: kind.isOpaque ? 3 : 4, data_type: bytesPerChannel == 1 ? JXL_TYPE_UINT8 : JXL_TYPE_UINT16,
            endianness: JXL_NATIVE_ENDIAN, align: 0)
        let (from, to) = (4 * bytesPerChannel, Int(format.num_channels) * bytesPerChannel)
        guard let packed = PixelBuffer(byteCount: kind.size.area * to) else { throw Self.failure("memory is short") }
        let target = UnsafeMutableRawPointer(packed.base)
        for y in 0..<height {
            let (source, row) = (base + y * bytesPerRow, target + y * width * to)
            for x in 0..<width { (row + x * to).copyMemory(from: source + x * from, byteCount: to) }
        }
        let status = JxlEncoderAddImageFrame(settings, &format, packed.base, kind.size.area * to)
        try check(status, "the pixels are refused")
        holdsFrame = true
    }

    /// Returns the file.
    func finish() throws(WebImageError) -> Data {
        JxlEncoderCloseInput(encoder)
        try drain()
        return file
    }

    /// Encodes what was added.
    private func drain() throws(WebImageError) {
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
        holdsFrame = false
    }

    private func describe(isLossless: Bool, _ playCount: Int?) throws(WebImageError) {
        let size = kind.size
        var info = JxlBasicInfo()
        JxlEncoderInitBasicInfo(&info)
        info.xsize = UInt32(clamping: size.width)
        info.ysize = UInt32(clamping: size.height)
        info.uses_original_profile = isLossless ? JXL_TRUE : JXL_FALSE
        info.bits_per_sample = kind.bitCount
        if kind.peakLuminance > 0 { info.intensity_target = Float(kind.peakLuminance) }
        if !kind.isOpaque {
            info.alpha_bits = kind.bitCount
            info.num_extra_channels = 1
        }
        if let playCount {
            info.have_animation = JXL_TRUE
            info.animation.tps_numerator = 1000
            info.animation.tps_denominator = 1
            info.animation.num_loops = UInt32(clamping: playCount)
        }
        try check(JxlEncoderSetBasicInfo(encoder, &info), "\(size) pixels are refused")
    }

    private func describeColors() throws(WebImageError) {
        var colors = JxlColorEncoding()
        JxlColorEncodingSetToSRGB(&colors, JXL_FALSE)
        if kind.colorSpace == .displayP3 { colors.primaries = JXL_PRIMARIES_P3 }
        if kind.colorSpace.isHighDynamicRange {
            colors.primaries = JXL_PRIMARIES_2100
            colors.transfer_function =
                kind.colorSpace == .bt2100PQ ? JXL_TRANSFER_FUNCTION_PQ : JXL_TRANSFER_FUNCTION_HLG
        }
        try check(JxlEncoderSetColorEncoding(encoder, &colors), "its colours are refused")
    }

    private func check(_ status: JxlEncoderStatus, _ finding: String) throws(WebImageError) {
        guard status == JXL_ENC_SUCCESS else { throw Self.failure(finding) }
    }

    private static func failure(_ finding: String) -> WebImageError { .notEncoded(.jpegXL, "libjxl says: \(finding)") }
}
