/// One frame of an animation: its pixels and its duration.
public struct ImageFrame: Sendable {
    /// The whole composed picture, not the difference from the frame before.
    public var bitmap: Bitmap
    /// In seconds. Negative, infinite and NaN values count as 0.
    public var duration: Double

    /// A frame with a duration of `duration` seconds.
    public init(bitmap: Bitmap, duration: Double) {
        self.bitmap = bitmap
        self.duration = duration.isFinite ? max(0, duration) : 0
    }
}
