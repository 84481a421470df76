extension Image {
    /// A picture of frames in memory; one frame makes a still picture. The first frame is what views show that play
    /// nothing.
    ///
    /// - Parameters:
    ///   - frames: In the order in which they are shown, all of one size.
    ///   - loopCount: How often they play; 0, the default, is for ever.
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

    /// A picture of an animation: what it shows is frame 0.
    ///
    /// - Parameters:
    ///   - animation: Kept, to decode frames when they are wanted.
    ///   - format: The format that the animation came in.
    /// - Throws: What ``AnimatedImageProvider/frame(at:)`` throws for frame 0.
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

    /// All frames of an animation, decoded; nil for a still picture. Frames that follow each other and are the very same
    /// bitmap become one, and where no frame has a duration, each has 0.1 s. Takes its time; not for the main thread.
    ///
    /// - Throws: What ``AnimatedImageProvider/frame(at:)`` throws.
    public func frames() throws(WebImageError) -> [ImageFrame]? {
        guard let animation else { return nil }
        var frames: [ImageFrame] = []
        for index in 0..<animation.frameCount {
            let frame = ImageFrame(bitmap: try animation.frame(at: index), duration: animation.duration(at: index))
            if let last = frames.indices.last, frames[last].bitmap === frame.bitmap {
                frames[last].duration += frame.duration
            } else {
                frames.append(frame)
            }
        }
        if frames.allSatisfy({ $0.duration == 0 }) { frames.indices.forEach { frames[$0].duration = 0.1 } }
        return frames
    }
}
