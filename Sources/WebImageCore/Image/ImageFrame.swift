/// One frame of an animation: its pixels and its duration.
public struct ImageFrame: Sendable {
    /// The whole composed picture, not the difference from the frame before.
    public var bitmap: Bitmap
    /// The time until the next frame; a negative one counts as zero.
    public var duration: Duration

    /// A frame that is shown for `duration`.
    public init(bitmap: Bitmap, duration: Duration) {
        self.bitmap = bitmap
        self.duration = min(max(.zero, duration), Self.longest)
    }

    /// Longer than any file holds; keeps sums in range.
    private static let longest = Duration.seconds(1_000_000_000)
}
