import CAVIF
import FoundationEssentials
import WebImageCore
import WebImagePixels

/// libavif's encoder of one file. Belongs to one thread.
final class AVIFCompressor {
    /// AV1 has 16 bits for each side.
    private static let maximumSide = 65_536
    /// 0 is the slowest, 10 the fastest. Photographs take about a second per few megapixels; below 6 files get hardly
    /// smaller.
    private static let speed: Int32 = 6
    /// libaom then encodes each frame of a sequence before it takes the next, where it otherwise holds about fifty. The
    /// slower of such speeds, 7, crashes in libaom 3.6 for some pictures with alpha or more than 8 bits.
    private static let speedWithoutLookAhead: Int32 = 8
    private static let worstQuantizer = 63.0

    private let encoder: UnsafeMutablePointer<avifEncoder>
    private let kind: Kind

    /// The properties that all frames of a file share.
    struct Kind {
        /// 0 to 1; nil for lossless.
        let quality: Double?
        /// The depth of the whole animation, which may differ from that of a bitmap.
        let depth: PixelDepth
        /// Whether alpha is left out, for all frames alike.
        let isOpaque: Bool

        var isLossless: Bool { quality == nil }
        /// Whether colour is stored at the full resolution.
        var hasFullChroma: Bool { quality.map { $0 >= 0.9 } ?? true }
        /// For pictures with 16 bits a channel: the depth that all decoders support, or for lossless AV1's maximum.
        var bitCount: UInt32 { depth == .eight ? 8 : isLossless ? 12 : 10 }
    }

    /// - Parameter looksAhead: Whether frames that follow may be held, for a smaller file.
    init(_ kind: Kind, looksAhead: Bool) throws(WebImageError) {
        guard let encoder = avifEncoderCreate() else { throw .notEncoded(.avif, "memory is short") }
        self.encoder = encoder
        self.kind = kind
        encoder.pointee.maxThreads = 1
        encoder.pointee.speed = looksAhead ? Self.speed : Self.speedWithoutLookAhead
        encoder.pointee.timescale = 1000
        encoder.pointee.minQuantizer = quantizer
        encoder.pointee.maxQuantizer = quantizer
        encoder.pointee.minQuantizerAlpha = AVIF_QUANTIZER_LOSSLESS
        encoder.pointee.maxQuantizerAlpha = AVIF_QUANTIZER_LOSSLESS
    }

    deinit { avifEncoderDestroy(encoder) }

    /// As libavif's own programs compute it, except that the best lossy quality is not lossless.
    private var quantizer: Int32 {
        guard let quality = kind.quality else { return AVIF_QUANTIZER_LOSSLESS }
        return max(1, Int32(((1 - quality) * Self.worstQuantizer).rounded()))
    }

    /// Encodes a picture.
    ///
    /// - Parameter milliseconds: The duration of the frame; nil for a still picture.
    func add(_ bitmap: Bitmap, milliseconds: Int?) throws(WebImageError) {
        let size = bitmap.size
        guard max(size.width, size.height) <= Self.maximumSide else {
            throw .notEncoded(.avif, "\(size) pixels are more than \(Self.maximumSide) a side; use PNG or JPEG")
        }
        let format = kind.hasFullChroma ? AVIF_PIXEL_FORMAT_YUV444 : AVIF_PIXEL_FORMAT_YUV420
        guard let image = avifImageCreate(UInt32(size.width), UInt32(size.height), kind.bitCount, format) else {
            throw .notEncoded(.avif, "memory is short")
        }
        defer { avifImageDestroy(image) }
        describeColors(of: image, bitmap.colorSpace)
        try fill(image, with: bitmap)
        let flags = milliseconds == nil ? AVIF_ADD_IMAGE_FLAG_SINGLE : AVIF_ADD_IMAGE_FLAG_NONE
        try check(avifEncoderAddImage(encoder, image, UInt64(max(1, milliseconds ?? 1)), flags.rawValue))
    }

    /// Sets the number of plays, 0 for endless; without effect before libavif 1.0, which is always endless.
    func setPlayCount(_ count: Int) {
        webimage_avif_set_repetition_count(encoder, count == 0 ? -1 : Int32(clamping: count - 1))
    }

    /// Returns the file.
    func finish() throws(WebImageError) -> Data {
        var output = avifRWData()
        defer { avifRWDataFree(&output) }
        try check(avifEncoderFinish(encoder, &output))
        guard let bytes = output.data else { throw .notEncoded(.avif, "libavif wrote nothing") }
        return Data(bytes: bytes, count: output.size)
    }

    private func describeColors(of image: UnsafeMutablePointer<avifImage>, _ colorSpace: ColorSpace) {
        image.pointee.yuvRange = AVIF_RANGE_FULL
        image.pointee.matrixCoefficients = avifMatrixCoefficients(
            kind.isLossless ? AVIF_MATRIX_COEFFICIENTS_IDENTITY : AVIF_MATRIX_COEFFICIENTS_BT601)
        guard let (primaries, transfer) = colorSpace.codePoints else { return }
        image.pointee.colorPrimaries = avifColorPrimaries(primaries)
        image.pointee.transferCharacteristics = avifTransferCharacteristics(transfer)
        guard colorSpace.isHighDynamicRange, !kind.isLossless else { return }
        image.pointee.matrixCoefficients = avifMatrixCoefficients(AVIF_MATRIX_COEFFICIENTS_BT2020_NCL)
    }

    private func fill(
        _ image: UnsafeMutablePointer<avifImage>, with bitmap: Bitmap
    ) throws(WebImageError) {
        var pixels = avifRGBImage()
        avifRGBImageSetDefaults(&pixels, image)
        pixels.format = AVIF_RGB_FORMAT_RGBA
        pixels.ignoreAlpha = kind.isOpaque ? AVIF_TRUE : AVIF_FALSE
        switch kind.depth {
        case .eight:
            pixels.depth = 8
            try bitmap.withStraightPixels(in: bitmap.colorSpace) { base, bytesPerRow throws(WebImageError) in
                pixels.pixels = UnsafeMutablePointer(mutating: base)
                pixels.rowBytes = UInt32(bytesPerRow)
                try check(avifImageRGBToYUV(image, &pixels))
            }
        case .sixteen:
            pixels.depth = 16
            try bitmap.withDeepStraightPixels { channels throws(WebImageError) in
                let bytes = UnsafeMutableRawBufferPointer(mutating: UnsafeRawBufferPointer(channels))
                pixels.pixels = bytes.bindMemory(to: UInt8.self).baseAddress
                pixels.rowBytes = UInt32(bitmap.size.width * 8)
                try check(avifImageRGBToYUV(image, &pixels))
            }
        }
    }

    private func check(_ result: avifResult) throws(WebImageError) {
        guard result != AVIF_RESULT_OK else { return }
        throw .notEncoded(.avif, "libavif says: " + String(cString: avifResultToString(result)))
    }
}

extension ColorSpace {
    /// Primaries and transfer function by ITU-T H.273; nil where they are unknown.
    fileprivate var codePoints: (primaries: Int, transfer: Int)? {
        switch self {
        case .asStored: nil
        case .sRGB: (Int(AVIF_COLOR_PRIMARIES_BT709), Int(AVIF_TRANSFER_CHARACTERISTICS_SRGB))
        case .displayP3: (Int(AVIF_COLOR_PRIMARIES_SMPTE432), Int(AVIF_TRANSFER_CHARACTERISTICS_SRGB))
        case .bt2100PQ: (Int(AVIF_COLOR_PRIMARIES_BT2020), Int(AVIF_TRANSFER_CHARACTERISTICS_SMPTE2084))
        case .bt2100HLG: (Int(AVIF_COLOR_PRIMARIES_BT2020), Int(AVIF_TRANSFER_CHARACTERISTICS_HLG))
        }
    }
}
