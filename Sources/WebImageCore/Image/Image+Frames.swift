extension Image {
    /// A picture of frames in memory; one frame makes a still picture. Views without animation show the first frame.
    ///
    /// - Parameters:
    ///   - frames: In playing order, all of one size.
    ///   - loopCount: The number of plays; 0, the default, for endless.
    ///   - scale: Pixels per point.
    /// - Returns: nil without frames, and where they differ in size.
    public convenience init?(frames: [ImageFrame], loopCount: Int = 0, scale: Double = 1) {
        guard let first = frames.first, frames.allSatisfy({ $0.bitmap.size == first.bitmap.size }) else { return nil }
        let isAnimated = frames.count > 1
        let loopCount = isAnimated ? max(0, loopCount) : 0
        self.init(
            bitmap: first.bitmap, scale: scale,
            metadata: ImageMetadata(frameCount: frames.count, loopCount: loopCount),
            animation: isAnimated ? FrameListAnimation(frames, loopCount: loopCount) : nil)
    }

    /// A picture of an animation; its still form is frame 0.
    ///
    /// - Parameters:
    ///   - animation: Retained, to decode frames on demand.
    ///   - format: The animation's file format.
    /// - Throws: The error of ``AnimatedImageProvider/frame(at:)`` for frame 0.
    public convenience init(
        animation: any AnimatedImageProvider, scale: Double = 1, format: ImageFormat = .undefined
    ) throws(WebImageError) {
        let isAnimated = animation.frameCount > 1
        self.init(
            bitmap: try animation.frame(at: 0), scale: scale,
            metadata: ImageMetadata(
                format: format, frameCount: animation.frameCount, loopCount: isAnimated ? animation.loopCount : 0),
            animation: isAnimated ? animation : nil)
    }

    /// All frames of an animation, decoded; nil for a still picture. Consecutive frames with the identical bitmap are
    /// merged, and where no frame has a duration, each gets 0.1 s. May take long; not for the main thread.
    ///
    /// - Throws: The errors of ``AnimatedImageProvider/frame(at:)``.
    public func frames() throws(WebImageError) -> [ImageFrame]? {
        guard let animation else { return nil }
        var frames: [ImageFrame] = []
        for index in 0..<animation.frameCount {
            let frame = ImageFrame(
                bitmap: try animation.frame(at: index), duration: animation.duration(at: index))
            if let last = frames.indices.last, frames[last].bitmap === frame.bitmap {
                frames[last].duration += frame.duration
            } else {
                frames.append(frame)
            }
        }
        if frames.allSatisfy({ $0.duration == .zero }) {
            frames.indices.forEach { frames[$0].duration = .milliseconds(100) }
        }
        return frames
    }
}
