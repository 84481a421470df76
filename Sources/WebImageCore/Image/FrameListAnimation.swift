/// An animation with all frames in memory.
package final class FrameListAnimation: AnimatedImageProvider {
    let frames: [ImageFrame]
    package let loopCount: Int

    /// - Parameter frames: At least one.
    package init(_ frames: [ImageFrame], loopCount: Int) {
        self.frames = frames
        self.loopCount = loopCount
    }

    package var frameCount: Int { frames.count }
    package var isAllFramesLoaded: Bool { true }

    package func frame(at index: Int) throws(WebImageError) -> Bitmap {
        guard frames.indices.contains(index) else { throw .noFrame(index, of: frames.count) }
        return frames[index].bitmap
    }

    package func duration(at index: Int) -> Duration { frames.indices.contains(index) ? frames[index].duration : .zero }

    package func preloadAllFrames() {}
}

extension WebImageError {
    /// A frame was requested that the animation does not have, or that has not arrived.
    package static func noFrame(_ index: Int, of count: Int) -> WebImageError {
        WebImageError(
            .badImageData, stage: .decode, kind: .policy,
            reason: "there is no frame \(index): \(count) are there, and the first is frame 0")
    }
}
