import CJXL
import FoundationEssentials
import WebImageCore
import WebImagePixels

extension JXLDecompressor {
    /// The name in the file's own ICC profile; nil where its colours are coded as an enumeration.
    var originalProfileName: String? {
        encoding(JXL_COLOR_PROFILE_TARGET_ORIGINAL) == nil ? profile(JXL_COLOR_PROFILE_TARGET_ORIGINAL)?.name : nil
    }

    /// The colours of the pixels: neither a profile nor coded colours for sRGB.
    struct Colors {
        var profile: ColorProfile?
        var coded: CodedColors?

        var isHighDynamicRange: Bool { coded?.transfer.isHighDynamicRange ?? false }
    }

    /// Chooses the colours of the pixels, directly after ``readHeader()``. libjxl converts to sRGB or Display P3 where it
    /// can, before it rounds; not for high dynamic range, because it would clip the highlights.
    func chooseColors(_ header: JXLHeader, _ options: ImageDecodeOptions) -> Colors {
        let original = encoding(JXL_COLOR_PROFILE_TARGET_ORIGINAL)
        let isHighDynamicRange = original?.codedTransfer != nil
        let keepsWideGamut = options.decodesToWideGamut && options.convertsToSRGB && isWide(header, original)
        if !header.usesOriginalProfile, options.convertsToSRGB && !isHighDynamicRange || original == nil {
            var target = JxlColorEncoding()
            JxlColorEncodingSetToSRGB(&target, header.isGray ? JXL_TRUE : JXL_FALSE)
            if keepsWideGamut { target.primaries = JXL_PRIMARIES_P3 }
            JxlDecoderSetPreferredColorProfile(decoder, &target)
        }
        guard let actual = encoding(JXL_COLOR_PROFILE_TARGET_DATA) else {
            return Colors(profile: profile(JXL_COLOR_PROFILE_TARGET_DATA))
        }
        if actual.isSRGB { return Colors() }
        if keepsWideGamut, actual.isDisplayP3 { return Colors(coded: .displayP3) }
        if let coded = actual.codedColors(peakLuminance: header.peakLuminance) { return Colors(coded: coded) }
        return Colors(profile: profile(JXL_COLOR_PROFILE_TARGET_DATA))
    }

    /// Whether there are colours outside of sRGB in the file, in standard dynamic range.
    ///
    /// - Parameter original: The file's colours; nil for a profile.
    private func isWide(_ header: JXLHeader, _ original: JxlColorEncoding?) -> Bool {
        guard !header.isGray else { return false }
        guard let original else {
            return profile(JXL_COLOR_PROFILE_TARGET_ORIGINAL).map { SourceColors.profile($0).areWide } ?? false
        }
        let transfer = original.codedTransfer ?? .sRGB
        return SourceColors.coded(CodedColors(primaries: original.codedPrimaries, transfer: transfer)).areWide
    }

    /// The coded colours; nil for a profile.
    private func encoding(_ target: JxlColorProfileTarget) -> JxlColorEncoding? {
        var encoding = JxlColorEncoding()
        guard webimage_jxl_color_encoding(decoder, target, &encoding) == JXL_DEC_SUCCESS else { return nil }
        return encoding
    }

    /// Printer profiles have about a megabyte.
    private static let maximumProfileByteCount = 16 << 20

    private func profile(_ target: JxlColorProfileTarget) -> ColorProfile? {
        var count = 0
        guard webimage_jxl_icc_size(decoder, target, &count) == JXL_DEC_SUCCESS, count > 0,
            count <= Self.maximumProfileByteCount
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        guard webimage_jxl_icc(decoder, target, &bytes, count) == JXL_DEC_SUCCESS else { return nil }
        return ColorProfile(bytes: Data(bytes))
    }
}

extension JxlColorEncoding {
    /// nil for standard dynamic range.
    fileprivate var codedTransfer: TransferFunction? {
        switch transfer_function {
        case JXL_TRANSFER_FUNCTION_PQ: .perceptualQuantizer
        case JXL_TRANSFER_FUNCTION_HLG: .hybridLogGamma
        default: nil
        }
    }

    /// nil for standard dynamic range.
    fileprivate func codedColors(peakLuminance: Double) -> CodedColors? {
        codedTransfer.map { CodedColors(primaries: codedPrimaries, transfer: $0, peakLuminance: peakLuminance) }
    }

    /// Gray has none; any will do.
    fileprivate var codedPrimaries: ColorPrimaries {
        switch primaries {
        case _ where color_space == JXL_COLOR_SPACE_GRAY: .bt709
        case JXL_PRIMARIES_SRGB where white_point == JXL_WHITE_POINT_D65: .bt709
        case JXL_PRIMARIES_2100 where white_point == JXL_WHITE_POINT_D65: .bt2020
        case JXL_PRIMARIES_P3 where white_point == JXL_WHITE_POINT_D65: .displayP3
        default: customPrimaries.isValid ? customPrimaries : .bt2020
        }
    }

    private var customPrimaries: ColorPrimaries {
        ColorPrimaries(
            red: .init(primaries_red_xy.0, primaries_red_xy.1),
            green: .init(primaries_green_xy.0, primaries_green_xy.1),
            blue: .init(primaries_blue_xy.0, primaries_blue_xy.1),
            white: .init(white_point_xy.0, white_point_xy.1))
    }

    fileprivate var isSRGB: Bool {
        isLikeSRGB && (color_space == JXL_COLOR_SPACE_GRAY || primaries == JXL_PRIMARIES_SRGB)
    }

    fileprivate var isDisplayP3: Bool {
        isLikeSRGB && color_space == JXL_COLOR_SPACE_RGB && primaries == JXL_PRIMARIES_P3
    }

    /// Whether it has the curve and the white of sRGB.
    private var isLikeSRGB: Bool {
        transfer_function == JXL_TRANSFER_FUNCTION_SRGB && white_point == JXL_WHITE_POINT_D65
    }
}
