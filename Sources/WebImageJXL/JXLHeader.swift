import CJXL
import WebImageCore
import WebImagePixels

/// The beginning of a JPEG XL codestream.
struct JXLHeader: Sendable {
    /// Columns and rows before orientation.
    let size: PixelSize
    let orientation: ImageOrientation
    let bitsPerChannel: Int
    let hasAlpha: Bool
    let isGray: Bool
    /// Whether pixels come in the file's own profile; otherwise libjxl can convert them.
    let usesOriginalProfile: Bool
    let extraChannelCount: Int
    /// The peak luminance in cd/m².
    let peakLuminance: Double
    /// The length of a tick in milliseconds; nil for a still picture.
    let millisecondsPerTick: Double?
    /// The number of plays of an animation, 0 for endless.
    let playCount: Int

    init(_ info: JxlBasicInfo) {
        size = PixelSize(width: Int(info.xsize), height: Int(info.ysize))
        orientation = ImageOrientation(rawValue: Int(info.orientation.rawValue)) ?? .up
        bitsPerChannel = Int(info.bits_per_sample)
        hasAlpha = info.alpha_bits > 0
        isGray = info.num_color_channels == 1
        usesOriginalProfile = info.uses_original_profile != 0
        extraChannelCount = Int(info.num_extra_channels)
        peakLuminance = Double(info.intensity_target)
        let animation = info.animation
        millisecondsPerTick =
            info.have_animation == 0
            ? nil : 1000 * Double(animation.tps_denominator) / Double(max(1, animation.tps_numerator))
        playCount = info.have_animation == 0 ? 0 : Int(animation.num_loops)
    }

    var isAnimated: Bool { millisecondsPerTick != nil }

    /// - Throws: ``WebImageError/Code/limitExceeded``. Extra channels are decoded as well, and four of them count as
    ///   one pixel.
    func check(_ limits: ImageLimits) throws(WebImageError) {
        let planes = max(1, (3 + extraChannelCount + 3) / 4)
        let (height, overflow) = size.height.multipliedReportingOverflow(by: planes)
        try limits.check(.jpegXL, source: size, held: PixelSize(width: size.width, height: overflow ? .max : height))
    }

    /// High depth only for high dynamic range, which is converted after decoding; libjxl converts other colours itself
    /// at full depth.
    func depth(_ options: ImageDecodeOptions, isHighDynamicRange: Bool) -> PixelDepth {
        options.depth(bitsPerChannel: bitsPerChannel, needsDepth: isHighDynamicRange && options.convertsToSRGB)
    }

    /// The geometry of the result under `options`.
    func geometry(frameCount: Int, _ options: ImageDecodeOptions) -> ThumbnailGeometry {
        ThumbnailGeometry(storedSourceSize: size, orientation: orientation, frameCount: frameCount, options: options)
    }
}
