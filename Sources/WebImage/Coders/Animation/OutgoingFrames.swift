import FoundationEssentials

/// Frames that are to be written to a file, each made when it is wanted: an encoder may go over them more than once.
package struct OutgoingFrames {
    private let animation: any AnimatedImageProvider
    /// Frame 0, which tells what size all frames must have.
    private let first: Bitmap
    private let format: ImageFormat
    private let options: ImageEncodeOptions

    /// Frames, at least 1.
    package let count: Int

    private init(
        _ animation: any AnimatedImageProvider, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) {
        self.animation = animation
        self.format = format
        self.options = options
        first = try animation.frame(at: 0)
        count = options.encodesFirstFrameOnly ? 1 : max(1, animation.frameCount)
    }

    /// How often they play; 0 is for ever.
    package var loopCount: Int { max(0, animation.loopCount) }

    /// Milliseconds of each frame.
    package var durations: [Int] { FrameDuration.milliseconds(of: (0..<count).map(animation.duration)) }

    /// The pixels of a frame in 8 bits a channel, of the size that the options allow.
    ///
    /// - Throws: ``WebImageError/Code/encodeFailed`` where it is not as large as the first, and what the animation throws.
    package func bitmap(at index: Int) throws(WebImageError) -> Bitmap { try deepBitmap(at: index).inEightBits() }

    /// What the first frame's pixels are, of which a file has one kind only: 16 bits where it has them, and then also high
    /// dynamic range; else 8 bits of sRGB.
    package func pixelKind() throws(WebImageError) -> (depth: PixelDepth, colorSpace: ColorSpace) {
        let bitmap = try deepBitmap(at: 0)
        let isDeep = bitmap.format.depth == .sixteen
        return (bitmap.format.depth, isDeep || !bitmap.colorSpace.isHighDynamicRange ? bitmap.colorSpace : .sRGB)
    }

    /// A frame in that kind of pixels.
    ///
    /// - Throws: ``WebImageError/Code/encodeFailed`` also where its colours are of another kind than the first one's.
    package func bitmap(at index: Int, depth: PixelDepth, colorSpace: ColorSpace) throws(WebImageError) -> Bitmap {
        guard depth == .sixteen else { return try bitmap(at: index) }
        let bitmap = try deepBitmap(at: index)
        if bitmap.colorSpace == colorSpace { return bitmap }
        guard !colorSpace.isHighDynamicRange else {
            throw .notEncoded(format, "frame \(index) is no high dynamic range, and the first is; bring all to one")
        }
        return try bitmap.inEightBits()
    }

    /// The same as ``bitmap(at:)`` in as many bits as there are.
    func deepBitmap(at index: Int) throws(WebImageError) -> Bitmap {
        let bitmap = index == 0 ? first : try frame(at: index)
        guard bitmap.size == first.size else {
            throw .notEncoded(
                format,
                "frame \(index) is \(bitmap.size) pixels and the first is \(first.size); make all frames of one size")
        }
        return try bitmap.limited(by: options)
    }

    private func frame(at index: Int) throws(WebImageError) -> Bitmap {
        do throws(WebImageError) {
            return try animation.frame(at: index)
        } catch {
            throw error.isCancelled ? error : error.ofFrame(index, of: count)
        }
    }

    /// Whether no frame is translucent: all frames of a file have alpha, or none has.
    package func areOpaque() throws(WebImageError) -> Bool {
        for index in 0..<count where try !deepBitmap(at: index).isOpaque { return false }
        return true
    }
}

extension OutgoingFrames {
    /// All frames of a picture, or its first one where the options want no more.
    init(_ image: Image, to format: ImageFormat, options: ImageEncodeOptions) throws(WebImageError) {
        let poster = [ImageFrame(bitmap: image.bitmap, duration: 0)]
        let animation = options.encodesFirstFrameOnly ? nil : image.animation
        try self.init(animation ?? FrameListAnimation(poster, loopCount: 0), to: format, options: options)
    }

    /// The frames of a list.
    ///
    /// - Throws: ``WebImageError/Code/encodeFailed`` for no frames.
    init(
        _ frames: [ImageFrame], loopCount: Int, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) {
        guard !frames.isEmpty else { throw .notEncoded(format, "there are no frames") }
        try self.init(FrameListAnimation(frames, loopCount: loopCount), to: format, options: options)
    }
}
