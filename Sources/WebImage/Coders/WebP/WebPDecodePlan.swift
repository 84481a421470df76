import FoundationEssentials

/// How the pixels of one frame become a picture: the same for a whole file and for one that is still coming.
struct WebPDecodePlan {
    let frame: WebPFrame
    /// What libwebp makes of the frame, where it makes pixels.
    let frameSize: PixelSize
    /// Where a much smaller picture is made of luma and chroma.
    let planes: WebPPlanes?
    let assembler: PixelAssembler

    private let canvasSize: PixelSize
    private let geometry: ThumbnailGeometry
    private let options: ImageDecodeOptions
    private let metadata: (frameCount: Int, loopCount: Int)

    /// For the first frame; checks the limits before pixels are allocated.
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
        planes = isOpaque ? WebPPlanes(size: container.canvasSize, target: geometry.storedOutputSize) : nil
        canvasSize = coversCanvas ? Self.decodingSize(for: geometry) : container.canvasSize
        frameSize = coversCanvas ? canvasSize : frame.bitstream.size
        // A lossless frame is held whole even where it is scaled.
        let held = frame.bitstream.isLossless ? container.canvasSize : planes?.reducedSize ?? canvasSize
        try options.limits.check(.webP, source: container.canvasSize, held: held)
        // What the header says of alpha is only a hint where pixels are lossless.
        let source =
            planes.map { PixelSource(size: $0.reducedSize, covered: $0.covered, isOpaque: true, profile: profile) }
            ?? PixelSource(size: canvasSize, isOpaque: isOpaque, profile: profile)
        assembler = PixelAssembler(source: source, geometry: geometry, options: options)
    }

    /// The pixels of `file`, which is whole.
    func decode(_ file: Data) throws(WebImageError) -> Bitmap {
        let decompressor = WebPDecompressor(
            frame: file[in: frame.dataRange], bitstream: frame.bitstream, size: frameSize)
        if let planes { return try reduce(planes, by: decompressor) }
        return try assembler.assemblePicture { base, bytesPerRow throws(WebImageError) in
            if frameSize != canvasSize { base.update(repeating: 0, count: bytesPerRow * canvasSize.height) }
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

    /// How much larger than the thumbnail libwebp decodes; the pipeline's filter, which is better, does the rest.
    ///
    /// 12 megapixels to 300 pixels, against the same filter on the whole picture: scaled by libwebp alone 41 dB, from
    /// twice the size 52 dB in the same time and memory, from three times 55 dB.
    private static let oversampling = 2

    private static func decodingSize(for geometry: ThumbnailGeometry) -> PixelSize {
        let source = geometry.storedSourceSize
        let target = geometry.storedOutputSize
        let size = PixelSize(width: target.width * oversampling, height: target.height * oversampling)
        return size.width < source.width && size.height < source.height ? size : source
    }
}
