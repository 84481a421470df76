import WebImageCore

/// A position in an animation, with the state to continue from there. Used by one thread at a time.
package protocol FrameCursor: AnyObject, Sendable {
    associatedtype Frames: Sendable

    /// A cursor before the first frame.
    init()

    /// The number of frames to decode for frame `index`.
    func cost(of index: Int, in frames: Frames) -> Int

    /// The finished pixels of frame `index`.
    func bitmap(
        at index: Int, in frames: Frames, options: ImageDecodeOptions
    ) throws(WebImageError) -> Bitmap
}
