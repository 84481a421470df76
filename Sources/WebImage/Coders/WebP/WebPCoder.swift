import FoundationEssentials

/// WebP by libwebp: lossy or lossless, with or without alpha, still or animated.
public struct WebPCoder: AnimatedImageCoder, ProgressiveImageCoder {
    /// A coder without state.
    public init() {}

    /// Whether the bytes begin with WebP's signature.
    public func canDecode(_ data: Data) -> Bool { WebPReader.canRead(data) }

    /// Whether `format` is WebP.
    public func canDecode(_ format: ImageFormat) -> Bool { format == .webP }

    /// Size, alpha, orientation, profile, and the frames of an animation. A still picture's are known where its pixels
    /// begin, except where the header announces EXIF data, which stand at the end; an animation's need the whole file.
    public func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        do throws(WebImageError) {
            return try WebPReader.container(of: data, isComplete: isComplete, limits: .forHeaders).properties
        } catch {
            guard !isComplete, error.code == .truncatedImageData else { throw error }
            return nil
        }
    }

    /// Decodes the picture, or the first frame on its canvas; see ``ImageCoder/decode(_:options:)``. An animation comes
    /// with its frames.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        let container = try WebPReader.container(of: data, isComplete: true, limits: options.limits)
        if container.frames.count > 1, !options.decodesFirstFrameOnly {
            return try animation(of: container, data: data, options: options).makeImage(of: .webP, options: options)
        }
        let geometry = ThumbnailGeometry(
            storedSourceSize: container.canvasSize, orientation: container.orientation,
            frameCount: container.frames.count, options: options)
        try options.checkCancellation()
        let bitmap = try decodePixels(data, container: container, geometry: geometry, options: options)
        return geometry.makeImage(
            bitmap, of: .webP, frameCount: container.frames.count, loopCount: container.loopCount,
            options: options)
    }

    /// The frames of the file; see ``AnimatedImageCoder/makeAnimation(of:options:)``.
    public func makeAnimation(
        of data: Data, options: ImageDecodeOptions
    ) throws(WebImageError) -> any AnimatedImageProvider {
        let container = try WebPReader.container(of: data, isComplete: true, limits: options.limits)
        return try animation(of: container, data: data, options: options)
    }

    /// Whether the bytes begin with the header of an animation.
    public func canDecodeProgressively(_ data: Data) -> Bool {
        canDecode(data) && data.dropFirst(12).starts(with: Array("VP8X".utf8))
            && data.dropFirst(20).first.map { $0 & 2 != 0 } ?? false
    }

    /// Shows an animation as far as its frames are whole.
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

    private func decodePixels(
        _ data: Data, container: WebPContainer, geometry: ThumbnailGeometry, options: ImageDecodeOptions
    ) throws(WebImageError) -> Bitmap {
        guard let frame = container.frames.first else { throw .damaged(.webP, "it has no picture") }
        let coversCanvas = frame.bitstream.size == container.canvasSize
        let size = coversCanvas ? decodingSize(for: geometry) : container.canvasSize
        // A lossless frame is held whole even where it is scaled.
        let held = frame.bitstream.isLossless ? container.canvasSize : size
        try options.limits.check(source: container.canvasSize, held: held)
        // What the header says of alpha is only a hint where pixels are lossless.
        let isOpaque = coversCanvas && !frame.bitstream.hasAlpha && !frame.bitstream.isLossless
        let source = PixelSource(
            size: size, isOpaque: isOpaque,
            profile: container.iccProfile.map { ColorProfile(bytes: $0) })
        let decompressor = WebPDecompressor(
            frame: data[in: frame.dataRange], bitstream: frame.bitstream,
            size: coversCanvas ? size : frame.bitstream.size)
        return try PixelAssembler(source: source, geometry: geometry, options: options).assemblePicture {
            base, bytesPerRow throws(WebImageError) in
            if !coversCanvas { base.update(repeating: 0, count: bytesPerRow * size.height) }
            let origin = base + frame.top * bytesPerRow + frame.left * 4
            try decompressor.decode(into: origin, bytesPerRow: bytesPerRow) { () throws(WebImageError) in
                try options.checkCancellation()
            }
        }
    }

    /// How much larger than the thumbnail libwebp decodes; the pipeline's filter, which is better, does the rest.
    ///
    /// 12 megapixels to 300 pixels, against the same filter on the whole picture: scaled by libwebp alone 41 dB, from
    /// twice the size 52 dB in the same time and memory, from three times 55 dB.
    private static let oversampling = 2

    private func decodingSize(for geometry: ThumbnailGeometry) -> PixelSize {
        let source = geometry.storedSourceSize
        let target = geometry.storedOutputSize
        let size = PixelSize(width: target.width * Self.oversampling, height: target.height * Self.oversampling)
        return size.width < source.width && size.height < source.height ? size : source
    }
}

extension WebPContainer {
    var orientation: ImageOrientation { exif.map(EXIFOrientation.parse) ?? .up }

    /// How often the animation plays; a still picture has 0.
    var loopCount: Int { frames.count > 1 ? playCount : 0 }

    var properties: ImageProperties {
        ImageProperties(
            format: .webP, pixelSize: orientation.apply(to: canvasSize), orientation: orientation,
            frameCount: max(1, frames.count), loopCount: loopCount,
            frameDurations: frames.count > 1 ? frames.map(\.duration) : [], hasAlpha: hasAlpha,
            iccProfileName: iccProfile.flatMap { ColorProfile(bytes: $0).name })
    }
}
