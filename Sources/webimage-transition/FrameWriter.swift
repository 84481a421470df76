import WebImage

/// Takes the frames of an animation, one after the other, and leaves a whole output or none.
protocol FrameWriter {
    /// Frames that lie before or after others in time are given in that order.
    ///
    /// - Parameters:
    ///   - number: From 0 on.
    ///   - time: Milliseconds from the beginning.
    mutating func append(_ bitmap: Bitmap, number: Int, time: Int) throws(WebImageError)

    /// Writes what is not written yet.
    ///
    /// - Parameter end: Milliseconds from the beginning to the end of the last frame.
    /// - Returns: Bytes written.
    mutating func finish(end: Int) throws(WebImageError) -> Int

    /// Removes what is written already.
    mutating func discard()
}
