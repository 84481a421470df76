/// Transforms a decoded picture. The result is delivered and cached.
///
/// ```swift
/// struct Inverting: ImageTransformer {
///     let transformerKey = "Inverting"
///     func transform(_ image: Image, for key: CacheKey) -> Image? {
///         var pixels = image.bitmap.withUnsafeBytes { Array($0) }
///         // Four bytes a pixel, alpha last; the others are multiplied by it.
///         for index in pixels.indices where index % 4 < 3 { pixels[index] = pixels[index | 3] - pixels[index] }
///         guard let bitmap = try? Bitmap(size: image.pixelSize, pixels: pixels) else { return nil }
///         return Image(bitmap: bitmap, scale: image.scale)
///     }
/// }
/// ```
/// A pure function: the same picture and the same ``transformerKey`` give the same result. Called on background
/// threads, several at a time. It may return its input, which then stays unchanged.
public protocol ImageTransformer: Sendable {
    /// Identifies the transformer with all its parameters: results are cached under it. Empty only for a transformer
    /// that changes nothing, because its result has the picture's own key.
    var transformerKey: String { get }
    /// Whether the result keeps the metadata of the picture's origin: format, number of frames and loops, extended
    /// data, decode options. True by default. They describe the file: a still picture made from an animated file has
    /// that file's ``ImageMetadata/frameCount`` and no ``Image/animation``.
    var preservesImageMetadata: Bool { get }
    /// The picture made from `image`; nil on failure, and then loads deliver `image` itself.
    ///
    /// - Parameter key: The picture's cache key.
    func transform(_ image: Image, for key: CacheKey) -> Image?
    /// The same for a load that may end meanwhile: calls ``transform(_:for:)`` by default. Work that takes long looks at
    /// the cancellation between rows, and gives nil once it is raised. A transformer that calls another one hands the
    /// cancellation on.
    func transform(_ image: Image, for key: CacheKey, cancellation: CancellationFlag?) -> Image?
}

extension ImageTransformer {
    /// True.
    public var preservesImageMetadata: Bool { true }

    /// The picture that a transformer makes that cannot be cancelled.
    public func transform(_ image: Image, for key: CacheKey, cancellation: CancellationFlag?) -> Image? {
        transform(image, for: key)
    }
}
