import FoundationEssentials
import WebImageCore
import WebImagePixels

/// Frames to be written to a file, each created on demand: an encoder may iterate over them more than once.
package struct OutgoingFrames {
    private let animation: any AnimatedImageProvider
    /// Frame 0, which determines the size of all frames.
    private let first: Bitmap
    private let format: ImageFormat
    private let options: ImageEncodeOptions

    private let thinning: FrameThinning

    /// The number of frames, at least 1.
    package var count: Int { thinning.indices.count }

    private init(
        _ animation: any AnimatedImageProvider, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) {
        self.animation = animation
        self.format = format
        self.options = options
        first = try animation.frame(at: 0)
        let count = options.encodesFirstFrameOnly ? 1 : max(1, animation.frameCount)
        let milliseconds = FrameDuration.wholeMilliseconds(of: (0..<count).map(animation.duration))
        // GIF counts hundredths, and programs show all of less than two for ten.
        let (unit, shortest) = format == .gif ? (10, 20) : (1, FrameDuration.shortest)
        thinning = FrameThinning(milliseconds, unit: unit, shortest: shortest)
    }

    /// The size of all frames in the file.
    package var frameSize: PixelSize { first.size.limited(by: options) }

    /// The number of plays; 0 for endless.
    package var loopCount: Int { max(0, animation.loopCount) }

    /// The duration of each frame in milliseconds, as long as readers need to play it.
    package var durations: [Int] { thinning.durations }

    /// The pixels of a frame with 8 bits a channel, in sRGB, at the size that the options allow.
    ///
    /// - Throws: ``WebImageError/Code/encodeFailed`` where its size differs from the first frame's, and the animation's
    ///   errors.
    package func bitmap(at index: Int) throws(WebImageError) -> Bitmap { try deepBitmap(at: index).inEightBits() }

    /// The pixels of the first frame determine those of the file, which has one kind only: 16 bits where the frame has
    /// them, with high dynamic range if it has that; otherwise 8 bits of ``shallowColorSpace``.
    package var pixelKind: (depth: PixelDepth, colorSpace: ColorSpace) {
        let depth = first.format.depth
        return (depth, depth == .sixteen ? first.colorSpace : shallowColorSpace)
    }

    /// The colours of a file with 8 bits a channel that describes them: those of the first frame, or sRGB for high dynamic
    /// range.
    var shallowColorSpace: ColorSpace { first.colorSpace.isHighDynamicRange ? .sRGB : first.colorSpace }

    /// A frame in that kind of pixels.
    ///
    /// - Throws: ``WebImageError/Code/encodeFailed`` also where its colours are of another kind.
    package func bitmap(at index: Int, depth: PixelDepth, colorSpace: ColorSpace) throws(WebImageError) -> Bitmap {
        let bitmap = try deepBitmap(at: index)
        if depth == .sixteen, bitmap.colorSpace == colorSpace { return bitmap }
        guard !colorSpace.isHighDynamicRange else {
            throw .notEncoded(format, "frame \(index) is no high dynamic range, and the first is; bring all to one")
        }
        return try bitmap.converted(to: bitmap.format.with(depth), in: colorSpace)
    }

    /// The same as ``bitmap(at:)`` at the frame's own depth.
    func deepBitmap(at index: Int) throws(WebImageError) -> Bitmap {
        try options.cancellation?.check()
        let index = thinning.indices[index]
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
            throw error.isCancelled ? error : error.ofFrame(index, of: animation.frameCount)
        }
    }

    /// Whether no frame is translucent: a file's frames either all have alpha, or none has.
    package func areOpaque() throws(WebImageError) -> Bool {
        for index in 0..<count where try !deepBitmap(at: index).isOpaque { return false }
        return true
    }
}

extension OutgoingFrames {
    /// All frames of a picture, or the first one where the options ask for that.
    init(_ image: Image, to format: ImageFormat, options: ImageEncodeOptions) throws(WebImageError) {
        let poster = [ImageFrame(bitmap: image.bitmap, duration: .zero)]
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
