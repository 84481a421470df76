import FoundationEssentials
import WebImageCore
import WebImagePixels

/// PNG: all colour types and depths, interlaced or not, still or animated (APNG).
///
/// Non-interlaced pictures with at most 8 bits a channel are inflated by libdeflate and unfiltered by vector code where
/// the file has nothing unusual; libpng decodes all others, with the same pixels. A thumbnail of a large picture is
/// made row by row, so that the whole picture is never in memory. Channels of 16 bits keep them where
/// ``ImageDecodeOptions/pixelFormat`` has as many, and are truncated to 8 otherwise.
///
/// With ``ImageDecodeOptions/decodesFirstFrameOnly``, an animation gives its default image, which every PNG decoder
/// shows and which need not be one of its frames.
public struct PNGCoder: ImageCoder, BundledCoder, Hashable, AnimatedImageCoder, ProgressiveImageCoder {
    /// A coder without state.
    package init() {}

    /// Whether the bytes begin with PNG's signature.
    public func canDecode(_ data: Data) -> Bool { data.starts(with: PNGReader.signature) }

    /// Whether `format` is PNG.
    public func canDecode(_ format: ImageFormat) -> Bool { format == .png }

    /// Whether `format` is PNG.
    public func decodesRows(of format: ImageFormat) -> Bool { format == .png }

    /// Size, depth, alpha, orientation, profile, and an APNG's frames. The properties of a still picture need the bytes
    /// up to its pixels (an orientation after the pixels needs complete data); those of an animation need the whole
    /// file.
    public func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try properties(of: data, isComplete: isComplete, options: ImageDecodeOptions())
    }

    /// The same within the limits of `options`; of a file whose first frame alone is wanted, those of its default image.
    public func properties(
        of data: Data, isComplete: Bool, options: ImageDecodeOptions
    ) throws(WebImageError) -> ImageProperties? {
        let limits = options.limitsOfFirstFrame.forHeaders
        return try FileBeginning.read(isComplete: isComplete) { () throws(WebImageError) in
            var contents = try PNGReader.contents(of: data, isComplete: isComplete, limits: limits)
            // A sequence error ends an animation, so counting its frames needs the same parser as playing them.
            if contents.animation != nil, !options.decodesFirstFrameOnly,
                let animation = try APNGReader.contents(of: data, limits: limits)
            {
                contents.frameDurations = animation.frames.map(\.description.duration)
            }
            return contents.properties
        }
    }

    /// Decodes the picture; see ``ImageCoder/decode(_:options:)``. The result of an animation includes its frames.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        if !options.decodesFirstFrameOnly, let animation = try animation(of: data, options: options),
            animation.frameCount > 1
        {
            return try animation.makeImage(of: .png, options: options)
        }
        return try decodeStill(data, options: options)
    }

    /// The frames of the file; see ``AnimatedImageCoder/makeAnimation(of:options:)``.
    public func makeAnimation(
        of data: Data, options: ImageDecodeOptions
    ) throws(WebImageError) -> any AnimatedImageProvider {
        if let animation = try animation(of: data, options: options) { return animation }
        let picture = try decodeStill(data, options: options)
        return FrameListAnimation([ImageFrame(bitmap: picture.bitmap, duration: .zero)], loopCount: 0)
    }

    /// A decoder for one file. Shows an animation up to its last complete frame.
    public func makeProgressiveDecoder(options: ImageDecodeOptions) -> any ProgressiveImageDecoder {
        IncomingFileDecoder<IncomingPNGFile>(options: options)
    }
}

extension PNGCoder {
    /// nil for a file that is, or counts as, a still picture.
    private func animation(
        of data: Data, options: ImageDecodeOptions
    ) throws(WebImageError) -> CompositedAnimation<APNGFrameSource>? {
        guard let contents = try APNGReader.contents(of: data, limits: options.limits), !contents.frames.isEmpty else {
            return nil
        }
        return try CompositedAnimation(
            APNGFrameSource(contents), loopCount: contents.loopCount, data: data, options: options)
    }

    /// The default image.
    private func decodeStill(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        let contents = try PNGReader.contents(of: data, isComplete: true, limits: options.limitsOfFirstFrame)
        let geometry = ThumbnailGeometry(
            storedSourceSize: contents.header.size, orientation: contents.orientation, options: options)
        try Self.check(contents.header, geometry: geometry, limits: options.limits)
        let pixels = PNGPixels(contents, geometry: geometry, options: options)
        let bitmap = try data.bytes.withUnsafeBytes { bytes throws(WebImageError) in try pixels.decode(bytes) }
        return geometry.makeImage(bitmap, of: .png, options: options)
    }

    static func check(
        _ header: PNGHeader, geometry: ThumbnailGeometry, limits: ImageLimits
    ) throws(WebImageError) {
        try limits.check(.png, source: header.size, held: header.isInterlaced ? header.size : geometry.outputSize)
        guard max(header.size.width, header.size.height) <= PNGHeader.maximumSide else {
            throw WebImageError(
                .limitExceeded, stage: .decode, kind: .policy,
                reason: "the picture is \(header.size) pixels and PNG is decoded up to \(PNGHeader.maximumSide) a side")
        }
    }
}

extension ImageCoder where Self == PNGCoder {
    /// PNG and APNG.
    public static var png: PNGCoder { PNGCoder() }
}
