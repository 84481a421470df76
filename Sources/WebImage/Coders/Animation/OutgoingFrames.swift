import FoundationEssentials

/// Frames that are to be written to a file, each made when it is wanted: an encoder may go over them twice.
struct OutgoingFrames {
    private let animation: any AnimatedImageProvider
    private let options: ImageEncodeOptions

    init(_ animation: any AnimatedImageProvider, options: ImageEncodeOptions) {
        self.animation = animation
        self.options = options
    }

    var count: Int { animation.frameCount }
    var loopCount: Int { max(0, animation.loopCount) }
    /// Milliseconds of each frame.
    var durations: [Int] { FrameDuration.milliseconds(of: (0..<count).map(animation.duration)) }

    /// The pixels of a frame, of the size that the options allow.
    func bitmap(at index: Int) throws(WebImageError) -> Bitmap {
        try animation.frame(at: index).limited(by: options).inEightBits()
    }
}

extension OutgoingFrames {
    /// The frames of a list.
    ///
    /// - Throws: ``WebImageError/Code/encodeFailed`` for no frames, and for frames that differ in size.
    init(
        _ frames: [ImageFrame], loopCount: Int, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) {
        guard let first = frames.first else { throw .notEncoded(format, "there are no frames") }
        if let other = frames.firstIndex(where: { $0.bitmap.size != first.bitmap.size }) {
            throw .notEncoded(
                format,
                "frame \(other) is \(frames[other].bitmap.size) pixels and the first is \(first.bitmap.size); "
                    + "make all frames of one size")
        }
        self.init(FrameListAnimation(frames, loopCount: loopCount), options: options)
    }
}

extension Image {
    /// The file that the picture was decoded from, where encoding to `format` would only lose by writing it anew.
    func untouchedFile(for format: ImageFormat, options: ImageEncodeOptions) -> Data? {
        guard metadata.format == format, !metadata.isThumbnail, !metadata.isTransformed, !metadata.isIncremental,
            options.compressionQuality >= 1, options.maxPixelSize?.isEmpty ?? true, !options.encodesFirstFrameOnly,
            format != .gif || options.maxColorCount >= 256
        else { return nil }
        return animation?.animatedImageData
    }
}
