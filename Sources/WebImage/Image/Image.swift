import FoundationEssentials

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
    /// The frames of an animation; nil for a still picture, and where no coder gives them.
    public let animation: (any AnimatedImageProvider)?
    /// How it was decoded; nil for a picture made in memory.
    public let decodeOptions: ImageDecodeOptions?
    /// The file whose picture it is, where a manager made it of one.
    let source: FileFingerprint?
    /// From when on that file counts as none, and its picture as well; nil for one without a date of its own.
    let expiresAt: Date?

    /// Wraps pixels as a picture.
    ///
    /// - Parameters:
    ///   - bitmap: The pixels; for an animation, those of its first frame.
    ///   - scale: Pixels per point; values under 1, and those that are not finite, become 1.
    ///   - decodeOptions: How it was decoded; their cancellation is left out.
    public convenience init(
        bitmap: Bitmap, scale: Double = 1, metadata: ImageMetadata = ImageMetadata(),
        animation: (any AnimatedImageProvider)? = nil, decodeOptions: ImageDecodeOptions? = nil
    ) {
        self.init(
            bitmap: bitmap, scale: scale, metadata: metadata, animation: animation, decodeOptions: decodeOptions,
            source: nil, expiresAt: nil)
    }

    private init(
        bitmap: Bitmap, scale: Double, metadata: ImageMetadata, animation: (any AnimatedImageProvider)?,
        decodeOptions: ImageDecodeOptions?, source: FileFingerprint?, expiresAt: Date?
    ) {
        self.bitmap = bitmap
        self.scale = scale.isFinite ? max(1, scale) : 1
        self.metadata = metadata
        self.animation = animation
        var options = decodeOptions
        options?.cancellation = nil
        self.decodeOptions = options
        self.source = source
        self.expiresAt = expiresAt
    }

    /// The same picture, known to be that of a file, and no longer good than that is.
    func made(of source: FileFingerprint?, until expiresAt: Date?) -> Image {
        Image(
            bitmap: bitmap, scale: scale, metadata: metadata, animation: animation, decodeOptions: decodeOptions,
            source: source, expiresAt: expiresAt)
    }

    /// The same picture, made of the file that `other` was made of.
    func made(likewise other: Image) -> Image { made(of: other.source, until: other.expiresAt) }

    /// Whether the file has more than one frame, be they there or not.
    public var isAnimated: Bool { animation != nil || metadata.frameCount > 1 }

    /// Whether the pixels keep colours brighter than white paper: those of such a file, decoded with
    /// ``ImageDecodeOptions/decodesToHDR``.
    public var isHighDynamicRange: Bool { bitmap.colorSpace.isHighDynamicRange }

    /// Width and height in pixels.
    public var pixelSize: PixelSize { bitmap.size }

    /// Bytes of pixels that the picture holds in memory: those of one frame, or of all where they were decoded ahead.
    public var memoryCost: Int {
        guard let animation, animation.isAllFramesLoaded else { return bitmap.byteCount }
        return bitmap.byteCount.multipliedReportingOverflow(by: max(1, animation.frameCount)).partialValue
    }

    /// Bytes that the picture holds in memory, which is what ``ImageCache`` charges for it: those of its pixels
    /// (``memoryCost``), of an animation's file, and of what its frames are drawn on
    /// (``AnimatedImageProvider/workingByteCount``).
    public var heldByteCount: Int {
        guard let animation else { return memoryCost }
        return memoryCost.addingReportingOverflow(max(0, animation.workingByteCount)).partialValue
    }
}
