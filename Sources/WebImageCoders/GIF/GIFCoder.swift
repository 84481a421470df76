import FoundationEssentials
import WebImageCore
import WebImagePixels

/// GIF, decoded and encoded by the library itself, with all its frames.
public struct GIFCoder: ImageCoder, BundledCoder, Hashable, AnimatedImageCoder, ProgressiveImageCoder {
    /// A coder without state.
    package init() {}

    /// Whether the bytes begin with GIF's signature.
    public func canDecode(_ data: Data) -> Bool { ImageFormat(sniffing: data.prefix(6)) == .gif }

    /// Whether `format` is GIF.
    public func canDecode(_ format: ImageFormat) -> Bool { format == .gif }

    /// Size, frames, durations and loop count; needs the whole file.
    public func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try properties(of: data, isComplete: isComplete, options: ImageDecodeOptions())
    }

    /// The same within the limits of `options`; of a file whose first frame alone is wanted, those of that frame.
    public func properties(
        of data: Data, isComplete: Bool, options: ImageDecodeOptions
    ) throws(WebImageError) -> ImageProperties? {
        try FileBeginning.read(isComplete: isComplete) { () throws(WebImageError) in
            try GIFReader.contents(
                of: data, limits: options.limits.forHeaders, keepsFirstFrameOnly: options.decodesFirstFrameOnly,
                allowsMissingTrailer: isComplete
            ).properties
        }
    }

    /// Decodes the first frame on the logical screen, which is transparent where the frame does not cover it. The
    /// result of an animation includes its frames.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        let contents = try GIFReader.contents(
            of: data, limits: options.limits, keepsFirstFrameOnly: options.decodesFirstFrameOnly)
        guard contents.frames.count > 1, !options.decodesFirstFrameOnly else {
            return try decodeStill(contents, options: options)
        }
        return try animation(of: contents, data: data, options: options).makeImage(of: .gif, options: options)
    }

    /// The frames of the file; see ``AnimatedImageCoder/makeAnimation(of:options:)``.
    public func makeAnimation(
        of data: Data, options: ImageDecodeOptions
    ) throws(WebImageError) -> any AnimatedImageProvider {
        let contents = try GIFReader.contents(of: data, limits: options.limits)
        return try animation(of: contents, data: data, options: options)
    }

    /// Shows the rows of the first frame as they arrive, then the animation up to its last complete frame.
    public func makeProgressiveDecoder(options: ImageDecodeOptions) -> any ProgressiveImageDecoder {
        IncomingFileDecoder<IncomingGIF>(options: options)
    }
}

extension GIFCoder {
    private func animation(
        of contents: GIFContents, data: Data, options: ImageDecodeOptions
    ) throws(WebImageError) -> CompositedAnimation<GIFFrameSource> {
        try CompositedAnimation(
            GIFFrameSource(contents), loopCount: contents.loopCount(countsPlays: options.countsPlaysOfGIF), data: data,
            options: options)
    }

    /// The first frame alone, row by row: a thumbnail never needs the whole screen in memory.
    private func decodeStill(_ contents: GIFContents, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        guard let frame = contents.frames.first else { throw .truncated(.gif) }
        let geometry = ThumbnailGeometry(
            storedSourceSize: contents.screenSize, orientation: .up, frameCount: contents.frames.count, options: options
        )
        try options.limits.check(.gif, source: contents.screenSize, held: geometry.outputSize)
        var pixels = GIFFramePixels()
        try pixels.decode(frame, colors: contents.colorTable(of: frame), options: options)
        let source = PixelSource(size: contents.screenSize, isOpaque: !contents.hasAlpha)
        let assembler = PixelAssembler(source: source, geometry: geometry, options: options)
        let width = source.size.width
        let bitmap = try assembler.assembleRows { rows throws(WebImageError) in
            for y in 0..<source.size.height {
                try rows.withNext { row in
                    row.clear(count: width * 4)
                    pixels.draw(screenRow: y, on: row, width: width)
                }
            }
        }
        return geometry.makeImage(
            bitmap, of: .gif, frameCount: contents.frames.count,
            loopCount: contents.loopCount(countsPlays: options.countsPlaysOfGIF), options: options)
    }
}

extension ImageCoder where Self == GIFCoder {
    /// GIF with its frames.
    public static var gif: GIFCoder { GIFCoder() }
}
