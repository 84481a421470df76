import FoundationEssentials

/// PNG: all colour types and depths, interlaced or not, still or animated (APNG).
///
/// Pictures of 8 bits a channel or fewer that are not interlaced are inflated by libdeflate and unfiltered by vector code
/// where nothing in the file is unusual; libpng decodes all others, and the same pixels come out. A thumbnail of a large
/// picture is made row by row, so that the whole is never in memory. Channels of 16 bits keep them where
/// ``ImageDecodeOptions/pixelFormat`` has as many, and are cut to 8 otherwise.
///
/// Who asks for the first frame only gets an animation's default image, which every PNG decoder shows and which need not
/// be one of its frames.
public struct PNGCoder: AnimatedImageCoder, ProgressiveImageCoder {
    /// A coder without state.
    public init() {}

    /// Whether the bytes begin with PNG's signature.
    public func canDecode(_ data: Data) -> Bool { data.starts(with: PNGReader.signature) }

    /// Whether `format` is PNG.
    public func canDecode(_ format: ImageFormat) -> Bool { format == .png }

    /// Size, depth, alpha, orientation, profile, and an APNG's frames. A still picture's are known where its pixels
    /// begin (an orientation that stands after the pixels is seen in complete data only); an animation's need the
    /// whole file.
    public func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try FileBeginning.read(isComplete: isComplete) { () throws(WebImageError) in
            var contents = try PNGReader.contents(of: data, isComplete: isComplete, limits: .forHeaders)
            // A fault in the sequence ends an animation: only who reads it as a player does knows its frames.
            if contents.animation != nil, let animation = try APNGReader.contents(of: data, limits: .forHeaders) {
                contents.frameDurations = animation.frames.map(\.description.duration)
            }
            return contents.properties
        }
    }

    /// Decodes the picture; see ``ImageCoder/decode(_:options:)``. An animation comes with its frames.
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
        return FrameListAnimation([ImageFrame(bitmap: picture.bitmap, duration: 0)], loopCount: 0)
    }

    /// Whether the bytes begin with PNG's signature. Rows come from the top down; an interlaced picture comes as a whole in
    /// blocks that become finer.
    public func canDecodeProgressively(_ data: Data) -> Bool { canDecode(data) }

    /// A decoder for one file. Shows an animation as far as its frames are whole.
    public func makeProgressiveDecoder(options: ImageDecodeOptions) -> any ProgressiveImageDecoder {
        IncomingFileDecoder<IncomingPNGFile>(options: options)
    }
}

extension PNGCoder {
    /// nil for a file that is, or must be taken for, a still picture.
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
        let contents = try PNGReader.contents(of: data, isComplete: true, limits: options.limits)
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
