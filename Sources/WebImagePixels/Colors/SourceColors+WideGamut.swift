import CLittleCMS

extension SourceColors {
    /// Whether there are colours outside of sRGB among them, in standard dynamic range; gray and CMYK have none. Any thread.
    package var areWide: Bool { ColorTransformCache.shared.areWide(self) }

    /// The same, computed.
    var leaveSRGB: Bool {
        switch self {
        case .profile(let profile): profile.leavesSRGB
        case .coded(let colors): colors.leaveSRGB
        }
    }

    /// The light below zero that a channel of sRGB may have for a colour that counts as within sRGB; white is 1. Vendors'
    /// profiles of sRGB stay within a thousandth, and primaries in three digits within 0.006. Display P3 has 0.22.
    fileprivate static let tolerance = 0.01
}

extension CodedColors {
    fileprivate var leaveSRGB: Bool {
        guard !transfer.isHighDynamicRange, let matrix = primaries.matrix(to: .bt709) else { return false }
        return matrix.values.contains { $0 < -SourceColors.tolerance }
    }
}

extension ColorProfile {
    /// Some profiles of sRGB have other colours for the perceptual intent, so that both intents count.
    fileprivate var leavesSRGB: Bool {
        let intents = [INTENT_PERCEPTUAL, INTENT_RELATIVE_COLORIMETRIC].map { cmsUInt32Number($0) }
        return withHandle { source in intents.allSatisfy { Self.leastLight(of: source, $0) < -SourceColors.tolerance } }
            ?? false
    }

    /// The least light of the saturated colours in the channels of sRGB, below zero for colours outside of it; 0 for other
    /// profiles than those of RGB.
    private static func leastLight(of source: cmsHPROFILE, _ intent: cmsUInt32Number) -> Double {
        guard cmsGetColorSpace(source) == cmsSigRgbData,
            let target = CodedColors(primaries: .bt709, transfer: .linear).makeProfile()
        else { return 0 }
        defer { cmsCloseProfile(target) }
        // Numbers in floating point are not cut off.
        let format = cmsUInt32Number(WEBIMAGE_LCMS_RGB_FLOAT)
        guard
            let transform = cmsCreateTransform(
                source, format, target, format, intent, cmsUInt32Number(cmsFLAGS_NOCACHE))
        else { return 0 }
        defer { cmsDeleteTransform(transform) }
        var light = [Float](repeating: 0, count: saturatedColors.count)
        cmsDoTransform(transform, saturatedColors, &light, cmsUInt32Number(light.count / 3))
        return Double(light.min() ?? 0)
    }

    private static let saturatedColors: [Float] = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0]
}
