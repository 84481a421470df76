/// A library's decoder that gives whole frames, one after the other. Belongs to one thread at a time.
package protocol WholeFrameDecoder: AnyObject {
    /// Decodes the next frame, the first one to begin with, to its final size and colours.
    func nextFrame(options: ImageDecodeOptions) throws(WebImageError) -> Bitmap

    /// Makes ready for frame `index`: what ``nextFrame(options:)`` gives next is that frame, or one before it that must be
    /// decoded first.
    ///
    /// - Returns: The number of the frame that comes next.
    func seek(to index: Int) throws(WebImageError) -> Int
}
