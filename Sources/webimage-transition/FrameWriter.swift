import WebImage

/// Takes the frames of an animation in order, and leaves a complete output or none.
protocol FrameWriter {
    /// Appends a frame; frames come in the order of their times.
    ///
    /// - Parameters:
    ///   - number: From 0 on.
    ///   - time: Milliseconds from the beginning.
    mutating func append(_ bitmap: Bitmap, number: Int, time: Int) throws(WebImageError)

    /// Writes the rest.
    ///
    /// - Parameter end: Milliseconds from the beginning to the end of the last frame.
    /// - Returns: The number of bytes written.
    mutating func finish(end: Int) throws(WebImageError) -> Int

    /// Removes the output written so far.
    mutating func discard()
}
