import FoundationEssentials

/// A decoded picture: pixels, their scale, and metadata about their origin.
///
/// Immutable and safe to share between threads; two views that show the same picture hold the same object.
public final class Image: Sendable {
    /// The pixels; for an animation, those of its first frame.
    public let bitmap: Bitmap
    /// Pixels per point: 2 for a double-density picture. At least 1.
    public let scale: Double
    /// Metadata about the origin of the pixels.
    public let metadata: ImageMetadata
    /// The frames of an animation; nil for a still picture, and where the coder does not support animations.
    public let animation: (any AnimatedImageProvider)?
    /// The options of its decode; nil for a picture made in memory.
    public let decodeOptions: ImageDecodeOptions?
    /// The source of a picture that comes from a manager.
    package let origin: ImageOrigin
    package let appearance: ImageAppearance

    /// Wraps pixels as a picture.
    ///
    /// - Parameters:
    ///   - bitmap: The pixels; for an animation, those of its first frame.
    ///   - scale: Pixels per point; values under 1, and infinite or NaN ones, become 1.
    ///   - decodeOptions: The options of its decode; their cancellation is dropped.
    public convenience init(
        bitmap: Bitmap, scale: Double = 1, metadata: ImageMetadata = ImageMetadata(),
        animation: (any AnimatedImageProvider)? = nil, decodeOptions: ImageDecodeOptions? = nil
    ) {
        self.init(
            bitmap: bitmap, scale: scale, metadata: metadata, animation: animation, decodeOptions: decodeOptions,
            origin: ImageOrigin(), appearance: .pixels)
    }

    /// Pixels that views draw in another way than those of a picture.
    package convenience init(bitmap: Bitmap, scale: Double = 1, appearance: ImageAppearance) {
        self.init(
            bitmap: bitmap, scale: scale, metadata: ImageMetadata(), animation: nil, decodeOptions: nil,
            origin: ImageOrigin(), appearance: appearance)
    }

    private init(
        bitmap: Bitmap, scale: Double, metadata: ImageMetadata, animation: (any AnimatedImageProvider)?,
        decodeOptions: ImageDecodeOptions?, origin: ImageOrigin, appearance: ImageAppearance
    ) {
        self.bitmap = bitmap
        self.scale = scale.isFinite ? max(1, scale) : 1
        self.metadata = metadata
        self.animation = animation
        var options = decodeOptions
        options?.cancellation = nil
        self.decodeOptions = options
        self.origin = origin
        self.appearance = appearance
    }

    /// The icon that views draw instead of the pixels; nil for the pixels.
    package var icon: NamedIcon? { if case .icon(let icon) = appearance { icon } else { nil } }

    /// The fingerprint of its file, for a picture from a manager.
    package var source: FileFingerprint? { origin.file }
    /// The expiry date of that file, and so of the picture; nil without one.
    package var expiresAt: Date? { origin.expiresAt }

    /// The same picture of another origin.
    package func made(from origin: ImageOrigin) -> Image {
        Image(
            bitmap: bitmap, scale: scale, metadata: metadata, animation: animation, decodeOptions: decodeOptions,
            origin: origin, appearance: appearance)
    }

    /// The same picture with the origin of `other`.
    package func made(likewise other: Image) -> Image { made(from: other.origin) }

    /// Whether the file has more than one frame, decoded or not.
    public var isAnimated: Bool { animation != nil || metadata.frameCount > 1 }

    /// Whether the pixels have colours brighter than diffuse white: those of a file with high dynamic range, decoded
    /// with ``ImageDecodeOptions/decodesToHDR``.
    public var isHighDynamicRange: Bool { bitmap.colorSpace.isHighDynamicRange }

    /// Width and height in pixels.
    public var pixelSize: PixelSize { bitmap.size }

    /// The bytes of the picture's pixels in memory: of one frame, or of all preloaded frames.
    public var memoryCost: Int {
        guard let animation, animation.isAllFramesLoaded else { return bitmap.byteCount }
        return bitmap.byteCount.multipliedReportingOverflow(by: max(1, animation.frameCount)).partialValue
    }

    /// The bytes of the picture in memory, which ``ImageCache`` charges for it: those of its pixels (``memoryCost``),
    /// of an animation's file, and of its canvases (``AnimatedImageProvider/workingByteCount``).
    public var heldByteCount: Int {
        guard let animation else { return memoryCost }
        return memoryCost.addingReportingOverflow(max(0, animation.workingByteCount)).partialValue
    }
}
