import FoundationEssentials
import WebImageCore
import WebImagePixels

/// The way from the pixels of a frame to a picture: the same for a complete and an incomplete file.
struct WebPDecodePlan {
    let frame: WebPFrame
    /// The size of libwebp's result, where libwebp converts to pixels.
    let frameSize: PixelSize
    /// The planes, where a much smaller picture is made from luma and chroma.
    let planes: WebPPlanes?
    let assembler: PixelAssembler

    private let canvasSize: PixelSize
    private let geometry: ThumbnailGeometry
    private let options: ImageDecodeOptions
    private let metadata: (frameCount: Int, loopCount: Int)

    /// Plans the first frame; checks the limits before pixels are allocated.
    init(_ container: WebPContainer, options: ImageDecodeOptions) throws(WebImageError) {
        guard let frame = container.frames.first else { throw .damaged(.webP, "it has no picture") }
        self.frame = frame
        self.options = options
        metadata = (container.frames.count, container.loopCount)
        geometry = ThumbnailGeometry(
            storedSourceSize: container.canvasSize, orientation: container.orientation,
            frameCount: container.frames.count, options: options)
        let coversCanvas = frame.bitstream.size == container.canvasSize
        let isOpaque = coversCanvas && !frame.bitstream.hasAlpha && !frame.bitstream.isLossless
        let profile = container.iccProfile.flatMap { ColorProfile(bytes: $0).forPixels(areGray: false) }
        planes = isOpaque ? WebPPlanes(size: container.canvasSize, target: geometry.storedReductionTarget) : nil
        canvasSize = coversCanvas ? Self.decodingSize(for: geometry) : container.canvasSize
        frameSize = coversCanvas ? canvasSize : frame.bitstream.size
        // libwebp holds a lossless frame whole even when it scales it.
        let held = frame.bitstream.isLossless ? container.canvasSize : planes?.reducedSize ?? canvasSize
        try options.limits.check(.webP, source: container.canvasSize, held: held)
        // For lossless pixels the header's alpha flag is only a hint.
        let source =
            planes.map { PixelSource(size: $0.reducedSize, covered: $0.covered, isOpaque: true, profile: profile) }
            ?? PixelSource(size: canvasSize, isOpaque: isOpaque, profile: profile)
        assembler = PixelAssembler(source: source, geometry: geometry, options: options)
    }

    /// The pixels of the complete `file`.
    func decode(_ file: Data) throws(WebImageError) -> Bitmap {
        let decompressor = WebPDecompressor(
            frame: file[in: frame.dataRange], bitstream: frame.bitstream, size: frameSize)
        if let planes { return try reduce(planes, by: decompressor) }
        return try assembler.assemblePicture { base, bytesPerRow throws(WebImageError) in
            if frameSize != canvasSize { base.clear(count: bytesPerRow * canvasSize.height) }
            let origin = base + frame.top * bytesPerRow + frame.left * 4
            try decompressor.decode(into: origin, bytesPerRow: bytesPerRow) { () throws(WebImageError) in
                try options.checkCancellation()
            }
        }
    }

    private func reduce(_ planes: WebPPlanes, by decompressor: WebPDecompressor) throws(WebImageError) -> Bitmap {
        try assembler.assembleRows { rows throws(WebImageError) in
            try decompressor.decode(into: planes) { rowCount throws(WebImageError) in
                try options.checkCancellation()
                while planes.hasNextRow(after: rowCount) { try rows.withNext { planes.writeNextRow(to: $0) } }
            }
        }
    }

    func makeImage(_ bitmap: Bitmap, isIncremental: Bool = false) -> Image {
        geometry.makeImage(
            bitmap, of: .webP, frameCount: metadata.frameCount, loopCount: metadata.loopCount,
            isIncremental: isIncremental, options: options)
    }

    /// The factor by which libwebp's result exceeds the thumbnail; the pipeline's better filter does the rest.
    ///
    /// For 12 megapixels to 300 pixels, compared with the same filter on the whole picture: 41 dB when libwebp alone
    /// scales, 52 dB from twice the size in the same time and memory, 55 dB from three times.
    private static let oversampling = 2

    private static func decodingSize(for geometry: ThumbnailGeometry) -> PixelSize {
        let source = geometry.storedSourceSize
        let target = geometry.storedReductionTarget
        let size = PixelSize(width: target.width * oversampling, height: target.height * oversampling)
        return size.width < source.width && size.height < source.height ? size : source
    }
}
