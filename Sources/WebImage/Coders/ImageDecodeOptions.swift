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
    /// Raised by whoever no longer wants the result; decoders look at it between rows. Not part of the result.
    public var cancellation: CancellationFlag?

    /// The whole picture, upright, premultiplied sRGB.
    public init() {}

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
