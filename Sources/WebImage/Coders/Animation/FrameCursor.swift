/// A place in an animation, and the memory to go on from there. Used by one thread at a time.
package protocol FrameCursor: AnyObject, Sendable {
    associatedtype Frames: Sendable

    /// Memory for a cursor that has shown nothing yet.
    init()

    /// How many frames must be decoded to show frame `index`.
    func cost(of index: Int, in frames: Frames) -> Int

    /// The finished pixels of frame `index`.
    func bitmap(
        at index: Int, in frames: Frames, options: ImageDecodeOptions
    ) throws(WebImageError) -> Bitmap
}
