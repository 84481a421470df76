import FoundationEssentials
import WebImageCore
import WebImagePixels

/// WebP by libwebp: lossy or lossless, with or without alpha, still or animated.
public struct WebPCoder: ImageCoder, BundledCoder, Hashable, AnimatedImageCoder, ProgressiveImageCoder {
    /// A coder without state.
    package init() {}

    /// Whether the bytes begin with WebP's signature.
    public func canDecode(_ data: Data) -> Bool { WebPReader.canRead(data) }

    /// Whether `format` is WebP.
    public func canDecode(_ format: ImageFormat) -> Bool { format == .webP }

    /// Whether `format` is WebP.
    public func decodesRows(of format: ImageFormat) -> Bool { format == .webP }

    /// Size, alpha, orientation, profile, and the frames of an animation. The properties of a still picture need the
    /// bytes up to its pixels, or the whole file where the header announces EXIF data, which are at its end; those of
    /// an animation need the whole file.
    public func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try properties(of: data, isComplete: isComplete, options: ImageDecodeOptions())
    }

    /// The same within the limits of `options`; of a file whose first frame alone is wanted, those of that frame.
    public func properties(
        of data: Data, isComplete: Bool, options: ImageDecodeOptions
    ) throws(WebImageError) -> ImageProperties? {
        try FileBeginning.read(isComplete: isComplete) { () throws(WebImageError) in
            try WebPReader.container(
                of: data, isComplete: isComplete, limits: options.limits.forHeaders,
                keepsFirstFrameOnly: options.decodesFirstFrameOnly
            ).properties
        }
    }

    /// Decodes the picture, or the first frame on its canvas; see ``ImageCoder/decode(_:options:)``. The result of an
    /// animation includes its frames.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        let container = try WebPReader.container(
            of: data, isComplete: true, limits: options.limits, keepsFirstFrameOnly: options.decodesFirstFrameOnly)
        if container.frames.count > 1, !options.decodesFirstFrameOnly {
            return try animation(of: container, data: data, options: options).makeImage(of: .webP, options: options)
        }
        let plan = try WebPDecodePlan(container, options: options)
        try options.checkCancellation()
        return plan.makeImage(try plan.decode(data))
    }

    /// The frames of the file; see ``AnimatedImageCoder/makeAnimation(of:options:)``.
    public func makeAnimation(
        of data: Data, options: ImageDecodeOptions
    ) throws(WebImageError) -> any AnimatedImageProvider {
        let container = try WebPReader.container(of: data, isComplete: true, limits: options.limits)
        return try animation(of: container, data: data, options: options)
    }

    /// Shows a still picture from the top down, with transparency below, and an animation up to its last complete
    /// frame. A still picture whose header announces EXIF data, which are at its end and may contain an orientation,
    /// shows when it is complete, unless ``ImageDecodeOptions/appliesOrientation`` is off.
    public func makeProgressiveDecoder(options: ImageDecodeOptions) -> any ProgressiveImageDecoder {
        IncomingFileDecoder<IncomingWebP>(options: options)
    }
}

extension WebPCoder {
    private func animation(
        of container: WebPContainer, data: Data, options: ImageDecodeOptions
    ) throws(WebImageError) -> CompositedAnimation<WebPFrameSource> {
        try CompositedAnimation(
            WebPFrameSource(container, data: data), loopCount: container.loopCount, data: data, options: options)
    }
}

extension WebPContainer {
    var orientation: ImageOrientation { exif.map(EXIFOrientation.parse) ?? .up }

    /// The number of plays; a still picture has 0.
    var loopCount: Int { frames.count > 1 ? playCount : 0 }

    var properties: ImageProperties {
        ImageProperties(
            format: .webP, pixelSize: orientation.apply(to: canvasSize), orientation: orientation,
            frameCount: max(1, frames.count), loopCount: loopCount,
            frameDurations: frames.count > 1 ? frames.map { .milliseconds($0.duration) } : [], hasAlpha: hasAlpha,
            iccProfileName: iccProfile.flatMap { ColorProfile(bytes: $0).name })
    }
}

extension ImageCoder where Self == WebPCoder {
    /// WebP: lossy, lossless and animated.
    public static var webP: WebPCoder { WebPCoder() }
}
