/// How bytes become pixels.
public struct ImageDecodeOptions: Sendable {
    /// The box that the picture is decoded to fit, in pixels; nil or an empty size decodes the whole. Never enlarges.
    public var thumbnailPixelSize: PixelSize?
    /// Whether a thumbnail keeps the picture's proportions (true) or fills the box exactly (false).
    public var preservesAspectRatio = true
    /// Pixels per point of the result; values under 1 become 1.
    public var scaleFactor: Double = 1
    /// Whether the EXIF orientation is applied to the pixels.
    public var appliesOrientation = true
    /// Whether colours are converted to sRGB by the file's ICC profile.
    public var convertsToSRGB = true
    /// The layout of the result's pixels.
    public var pixelFormat: PixelFormat = .rgba8Premultiplied
    /// What the file may ask for.
    public var limits = ImageLimits()
    /// Whether an animation is decoded to a still picture of its first frame.
    public var decodesFirstFrameOnly = false
    /// Bytes that all frames may take together; 0 for no limit. A picture that would take more is decoded at the largest
    /// size that fits, at least 1×1. Wins over ``thumbnailPixelSize``.
    public var scaleDownLimitBytes = 0
    /// Whether a coder that can keeps high dynamic range.
    public var decodesToHDR = false
    /// What the file may be, for formats that their bytes do not tell.
    public var formatHint = ImageFormatHint.automatic
    /// Raised by whoever no longer wants the result; decoders look at it between rows. Not part of the result.
    public var cancellation: CancellationFlag?

    private var values: [ObjectIdentifier: any Hashable & Sendable] = [:]

    /// The whole picture, upright, premultiplied sRGB.
    public init() {}

    /// Names a value for a coder of the app's own.
    public protocol Key {
        /// What is kept under the key. It tells decodes apart, so that each gets pixels of its own.
        associatedtype Value: Hashable & Sendable
    }

    /// The value for a coder of the app's own; nil when it was not set.
    public subscript<K: Key>(key: K.Type) -> K.Value? {
        get { values[ObjectIdentifier(key)] as? K.Value }
        set { values[ObjectIdentifier(key)] = newValue }
    }

    /// Tells the values for coders of the app's own from others; nil when there are none.
    var customVariant: String? {
        guard !values.isEmpty else { return nil }
        return values.map { "\($0.key.hashValue)=\(String(reflecting: $0.value))" }.sorted().joined(separator: " ")
    }

    /// The pixels just as the file has them: straight alpha, not turned, no colour conversion. For tools.
    public static var storedPixels: ImageDecodeOptions {
        var options = ImageDecodeOptions()
        options.appliesOrientation = false
        options.convertsToSRGB = false
        options.pixelFormat = .rgba8Straight
        return options
    }

    /// Throws ``WebImageError/Code/cancelled`` when nobody wants the result any more.
    public func checkCancellation() throws(WebImageError) {
        if cancellation?.isCancelled == true { throw .cancelled() }
    }
}
