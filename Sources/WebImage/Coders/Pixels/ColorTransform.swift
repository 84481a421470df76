import CLittleCMS

/// A conversion of pixels to sRGB.
///
/// `@unchecked Sendable`: made without Little CMS's one-pixel cache, a transform is not written to when it is used.
final class ColorTransform: @unchecked Sendable {
    private let handle: cmsHTRANSFORM

    /// nil when the profile is broken, is for other pixels than `layout`, or changes nothing because it is sRGB.
    init?(profile: ColorProfile, layout: PixelSource.Layout) {
        let handle = profile.withHandle { source -> cmsHTRANSFORM? in
            guard let format = Self.format(of: source, for: layout), let target = cmsCreate_sRGBProfile() else {
                return nil
            }
            defer { cmsCloseProfile(target) }
            return cmsCreateTransform(
                source, format, target, Self.number(WEBIMAGE_LCMS_RGBX), cmsUInt32Number(INTENT_PERCEPTUAL),
                cmsUInt32Number(cmsFLAGS_NOCACHE))
        }
        guard let handle else { return nil }
        self.handle = handle
        if layout == .rgba && changesNothing { return nil }
    }

    deinit { cmsDeleteTransform(handle) }

    /// Converts pixels in place. The fourth byte is left as it is: alpha of RGB pixels, black of CMYK ones.
    func apply(to pixels: UnsafeMutablePointer<UInt8>, pixelCount: Int) {
        cmsDoTransform(handle, pixels, pixels, cmsUInt32Number(pixelCount))
    }

    /// Whether a lattice of colours comes out as it went in: a test of what the profile does, since the names and the
    /// tables of sRGB profiles differ from vendor to vendor.
    private var changesNothing: Bool {
        let levels = stride(from: 0, through: 256, by: 32).map { UInt8(min($0, 255)) }
        let isGray = cmsGetTransformInputFormat(handle) == Self.number(WEBIMAGE_LCMS_GRAYXXX)
        let lattice: [UInt8] =
            isGray
            ? levels.flatMap { [$0, $0, $0, 255] }
            : levels.flatMap { red in
                levels.flatMap { green in levels.flatMap { blue in [red, green, blue, 255] } }
            }
        var result = lattice
        cmsDoTransform(handle, lattice, &result, cmsUInt32Number(lattice.count / 4))
        return zip(lattice, result).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
    }

    private static func format(of profile: cmsHPROFILE, for layout: PixelSource.Layout) -> cmsUInt32Number? {
        switch (cmsGetColorSpace(profile), layout) {
        case (cmsSigRgbData, .rgba): number(WEBIMAGE_LCMS_RGBX)
        case (cmsSigGrayData, .rgba): number(WEBIMAGE_LCMS_GRAYXXX)
        case (cmsSigCmykData, .invertedCMYK): number(WEBIMAGE_LCMS_INVERTED_CMYK)
        default: nil
        }
    }

    private static func number<Constant: BinaryInteger>(_ constant: Constant) -> cmsUInt32Number {
        cmsUInt32Number(constant)
    }
}
