import CJXL
import FoundationEssentials
import WebImage

extension JXLDecompressor {
    /// The name in the file's own ICC profile; nil where it has its colours from a list.
    var originalProfileName: String? {
        var encoding = JxlColorEncoding()
        guard webimage_jxl_color_encoding(decoder, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &encoding) != JXL_DEC_SUCCESS
        else {
            return nil
        }
        return profile(JXL_COLOR_PROFILE_TARGET_ORIGINAL)?.name
    }

    /// Chooses the colours of the pixels, right after ``readHeader()``. Where libjxl is free to choose, it converts to
    /// sRGB, which it does before it rounds.
    ///
    /// - Returns: What the pixels' colours are; nil for sRGB.
    func chooseColors(_ header: JXLHeader, _ options: ImageDecodeOptions) -> ColorProfile? {
        var original = JxlColorEncoding()
        let isListed =
            webimage_jxl_color_encoding(decoder, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &original) == JXL_DEC_SUCCESS
        if !header.usesOriginalProfile, options.convertsToSRGB || !isListed {
            // From PQ and HLG, whose white is far above that of other pictures.
            if isListed, original.isHighDynamicRange { JxlDecoderSetDesiredIntensityTarget(decoder, Self.whiteOfSRGB) }
            var target = JxlColorEncoding()
            JxlColorEncodingSetToSRGB(&target, header.isGray ? JXL_TRUE : JXL_FALSE)
            JxlDecoderSetPreferredColorProfile(decoder, &target)
        }
        var actual = JxlColorEncoding()
        if webimage_jxl_color_encoding(decoder, JXL_COLOR_PROFILE_TARGET_DATA, &actual) == JXL_DEC_SUCCESS,
            actual.isSRGB
        {
            return nil
        }
        return profile(JXL_COLOR_PROFILE_TARGET_DATA)
    }

    /// Candela per square metre: libjxl's value for pictures that are not of high dynamic range.
    private static let whiteOfSRGB: Float = 255
    /// Printers' profiles have a megabyte or so.
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
    fileprivate var isHighDynamicRange: Bool {
        transfer_function == JXL_TRANSFER_FUNCTION_PQ || transfer_function == JXL_TRANSFER_FUNCTION_HLG
    }

    fileprivate var isSRGB: Bool {
        transfer_function == JXL_TRANSFER_FUNCTION_SRGB && white_point == JXL_WHITE_POINT_D65
            && (color_space == JXL_COLOR_SPACE_GRAY || primaries == JXL_PRIMARIES_SRGB)
    }
}
