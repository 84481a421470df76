import FoundationEssentials

/// GIF, decoded by the library itself. Of an animation it shows the first frame.
public struct GIFCoder: ImageCoder {
    /// A coder without state.
    public init() {}

    /// Whether the bytes begin with GIF's signature.
    public func canDecode(_ data: Data) -> Bool { ImageFormat(sniffing: data.prefix(6)) == .gif }

    /// Whether `format` is GIF.
    public func canDecode(_ format: ImageFormat) -> Bool { format == .gif }

    /// Size, frames, durations and loop count, for which the whole file is needed.
    public func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        do throws(WebImageError) {
            return try GIFReader.contents(of: data, limits: .forHeaders, allowsMissingTrailer: isComplete).properties
        } catch {
            guard !isComplete, error.code == .truncatedImageData else { throw error }
            return nil
        }
    }

    /// Decodes the first frame on the logical screen, which is transparent where the frame does not cover it.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        let contents = try GIFReader.contents(of: data, limits: options.limits)
        guard let frame = contents.frames.first else { throw .truncated(.gif) }
        let geometry = ThumbnailGeometry(
            storedSourceSize: contents.screenSize, orientation: .up, frameCount: contents.frames.count, options: options
        )
        try options.limits.check(source: contents.screenSize, held: geometry.outputSize)
        // The indices of the frame are held, whatever size is asked for.
        try options.limits.check(source: contents.screenSize, held: frame.size)
        let pixels = try GIFFramePixels(frame, of: contents, data: data)
        let source = PixelSource(size: contents.screenSize, isOpaque: !contents.hasAlpha)
        let assembler = PixelAssembler(source: source, geometry: geometry, options: options)
        let bitmap = try assembler.assembleRows { rows throws(WebImageError) in
            for y in 0..<source.size.height {
                try rows.withNext { row in Self.fill(row, width: source.size.width, y: y, with: pixels) }
            }
        }
        return geometry.makeImage(
            bitmap, of: .gif, frameCount: contents.frames.count, loopCount: contents.loopCount,
            options: options)
    }

    /// False: GIF is only read.
    public func canEncode(_ format: ImageFormat) -> Bool { false }

    /// Throws: GIF is only read.
    public func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        throw .notEncoded(.gif, "it is only read; write PNG or WebP instead")
    }

    private static func fill(
        _ row: UnsafeMutablePointer<UInt8>, width: Int, y: Int, with pixels: GIFFramePixels
    ) {
        row.withMemoryRebound(to: UInt32.self, capacity: width) { words in
            let buffer = UnsafeMutableBufferPointer(start: words, count: width)
            buffer.update(repeating: 0)
            var span = buffer.mutableSpan
            pixels.draw(onScreenRow: y, &span)
        }
    }
}

extension GIFContents {
    /// How often the animation plays in all. Without the Netscape block it plays once; a still picture has 0.
    var loopCount: Int { frames.count > 1 ? declaredLoopCount ?? 1 : 0 }

    var properties: ImageProperties {
        ImageProperties(
            format: .gif, pixelSize: screenSize, frameCount: frames.count, loopCount: loopCount,
            frameDurations: frames.count > 1 ? frames.map(\.control.duration) : [], hasAlpha: hasAlpha)
    }
}
