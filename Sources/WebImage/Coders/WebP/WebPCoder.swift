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
        IncomingFileDecoder(IncomingWebP(options: options))
    }

    /// Whether `format` is WebP.
    public func canEncode(_ format: ImageFormat) -> Bool { format == .webP }

    /// Writes lossy WebP of the quality asked for, 1 being libwebp's 100, or lossless WebP when the options ask for it;
    /// with alpha where the picture may be translucent. An animation is written with all its frames; what came as an
    /// animated WebP file and is to have quality 1 is that file.
    public func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        guard canEncode(format) else { throw .notEncoded(format, "the WebP coder was asked for it") }
        if let file = image.untouchedFile(for: format, options: options) { return file }
        if let animation = image.animation, !options.encodesFirstFrameOnly {
            return try encode(OutgoingFrames(animation, options: options), options: options)
        }
        let bitmap = try image.bitmap.limited(by: options).inEightBits()
        return try bitmap.withStraightPixels { base, bytesPerRow throws(WebImageError) in
            let encode = { (compressor: WebPCompressor) throws(WebImageError) in
                try compressor.encode(base, bytesPerRow: bytesPerRow, size: bitmap.size, isOpaque: bitmap.isOpaque)
            }
            guard !options.isLossless else { return try encode(WebPCompressor(quality: 1, isLossless: true)) }
            return try QualitySearch.encode(options) { quality throws(WebImageError) in
                try encode(WebPCompressor(quality: quality, isLossless: false))
            }
        }
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
        if coversCanvas, !frame.bitstream.hasAlpha, !frame.bitstream.isLossless,
            let planes = WebPPlanes(size: container.canvasSize, target: geometry.storedOutputSize)
        {
            return try reduce(planes, of: frame, in: data, container, geometry, options)
        }
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

    private func reduce(
        _ planes: WebPPlanes, of frame: WebPFrame, in data: Data, _ container: WebPContainer,
        _ geometry: ThumbnailGeometry, _ options: ImageDecodeOptions
    ) throws(WebImageError) -> Bitmap {
        try options.limits.check(source: container.canvasSize, held: planes.reducedSize)
        let source = PixelSource(
            size: planes.reducedSize, covered: planes.covered, isOpaque: true,
            profile: container.iccProfile.map { ColorProfile(bytes: $0) })
        let decompressor = WebPDecompressor(
            frame: data[in: frame.dataRange], bitstream: frame.bitstream, size: frame.bitstream.size)
        return try PixelAssembler(source: source, geometry: geometry, options: options).assembleRows {
            rows throws(WebImageError) in
            try decompressor.decode(into: planes) { rowCount throws(WebImageError) in
                try options.checkCancellation()
                while planes.hasNextRow(after: rowCount) { try rows.withNext { planes.writeNextRow(to: $0) } }
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
