import CLittleCMS
import WebImageCore

/// A conversion of pixels from a profile to the colours of a bitmap.
///
/// `@unchecked Sendable`: without Little CMS's one-pixel cache, using a transform does not modify it.
final class ColorTransform: @unchecked Sendable {
    private let handle: cmsHTRANSFORM
    private let isDeep: Bool

    /// nil when the profile is broken, does not match `layout`, or has the colours of `target` and changes nothing.
    init?(profile: ColorProfile, layout: PixelSource.Layout, to target: ColorSpace = .sRGB) {
        let handle = profile.withHandle { source -> cmsHTRANSFORM? in
            guard let format = Self.format(of: source, for: layout), let target = target.codedColors.makeProfile()
            else { return nil }
            defer { cmsCloseProfile(target) }
            // Without the lookup table that speeds up 8 bits: it has too few points for 16.
            let flags = layout == .rgba16 ? cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE : cmsFLAGS_NOCACHE
            return cmsCreateTransform(
                source, format, target, Self.number(layout == .rgba16 ? WEBIMAGE_LCMS_RGBX_16 : WEBIMAGE_LCMS_RGBX),
                cmsUInt32Number(INTENT_PERCEPTUAL), cmsUInt32Number(flags))
        }
        guard let handle else { return nil }
        self.handle = handle
        isDeep = layout == .rgba16
        if layout != .invertedCMYK && changesNothing { return nil }
    }

    deinit { cmsDeleteTransform(handle) }

    /// Converts pixels in place. The fourth channel is unchanged: alpha of RGB pixels, black of CMYK ones.
    func apply(to pixels: UnsafeMutablePointer<UInt8>, pixelCount: Int) {
        cmsDoTransform(handle, pixels, pixels, cmsUInt32Number(pixelCount))
    }

    /// Whether a lattice of colours is unchanged by the transform: this tests the profile's effect, because the names
    /// and tables of profiles for the same colours vary between vendors.
    private var changesNothing: Bool {
        isDeep ? keepsLattice(of: UInt16.self, tolerance: 257) : keepsLattice(of: UInt8.self, tolerance: 1)
    }

    private func keepsLattice<Channel: FixedWidthInteger>(of: Channel.Type, tolerance: Int) -> Bool {
        let levels = (0...8).map { Channel(Int(Channel.max) * $0 / 8) }
        let grays = [Self.number(WEBIMAGE_LCMS_GRAYXXX), Self.number(WEBIMAGE_LCMS_GRAYXXX_16)]
        let lattice: [Channel] =
            grays.contains(cmsGetTransformInputFormat(handle))
            ? levels.flatMap { [$0, $0, $0, .max] }
            : levels.flatMap { red in
                levels.flatMap { green in levels.flatMap { blue in [red, green, blue, .max] } }
            }
        var result = lattice
        cmsDoTransform(handle, lattice, &result, cmsUInt32Number(lattice.count / 4))
        return zip(lattice, result).allSatisfy { abs(Int($0) - Int($1)) <= tolerance }
    }

    private static func format(of profile: cmsHPROFILE, for layout: PixelSource.Layout) -> cmsUInt32Number? {
        switch (cmsGetColorSpace(profile), layout) {
        case (cmsSigRgbData, .rgba): number(WEBIMAGE_LCMS_RGBX)
        case (cmsSigGrayData, .rgba): number(WEBIMAGE_LCMS_GRAYXXX)
        case (cmsSigRgbData, .rgba16): number(WEBIMAGE_LCMS_RGBX_16)
        case (cmsSigGrayData, .rgba16): number(WEBIMAGE_LCMS_GRAYXXX_16)
        case (cmsSigCmykData, .invertedCMYK): number(WEBIMAGE_LCMS_INVERTED_CMYK)
        default: nil
        }
    }

    private static func number<Constant: BinaryInteger>(_ constant: Constant) -> cmsUInt32Number {
        cmsUInt32Number(constant)
    }
}
