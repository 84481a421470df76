/// One frame of an animation: its pixels, and how long they are shown.
public struct ImageFrame: Sendable {
    /// The whole picture as it is seen, not what differs from the frame before.
    public var bitmap: Bitmap
    /// Seconds. Values that are not finite or under 0 count as 0.
    public var duration: Double

    /// A frame that is shown for `duration` seconds.
    public init(bitmap: Bitmap, duration: Double) {
        self.bitmap = bitmap
        self.duration = duration.isFinite ? max(0, duration) : 0
    }
}
