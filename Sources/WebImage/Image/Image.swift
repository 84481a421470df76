/// A decoded picture: pixels, their scale, and what is known of their origin.
///
/// Immutable and safe to share between threads; two views that show the same picture hold the same object.
public final class Image: Sendable {
    /// The pixels; for an animation, those of its first frame.
    public let bitmap: Bitmap
    /// Pixels per point: 2 for a picture drawn for a double-density screen. At least 1.
    public let scale: Double
    /// Where the pixels came from.
    public let metadata: ImageMetadata

    /// Wraps pixels as a picture.
    ///
    /// - Parameter scale: Pixels per point; values under 1 become 1.
    public init(bitmap: Bitmap, scale: Double = 1, metadata: ImageMetadata = ImageMetadata()) {
        self.bitmap = bitmap
        self.scale = max(1, scale)
        self.metadata = metadata
    }

    /// Width and height in pixels.
    public var pixelSize: PixelSize { bitmap.size }

    /// Bytes that the picture holds in memory, which is what a memory cache charges for it.
    public var memoryCost: Int { bitmap.byteCount }
}
