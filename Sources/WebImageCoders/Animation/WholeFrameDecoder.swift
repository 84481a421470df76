import WebImageCore

/// A library's decoder that returns complete frames in order. Belongs to one thread at a time.
package protocol WholeFrameDecoder: AnyObject {
    /// Decodes the next frame, at first frame 0, to its final size and colours.
    func nextFrame(options: ImageDecodeOptions) throws(WebImageError) -> Bitmap

    /// Seeks to frame `index`: afterwards ``nextFrame(options:)`` returns that frame, or an earlier one that must be
    /// decoded before it.
    ///
    /// - Returns: The index of the next frame.
    func seek(to index: Int) throws(WebImageError) -> Int
}
