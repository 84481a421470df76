/// Makes another picture out of a decoded one. What comes out is what is delivered and cached.
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
/// A pure function: the same picture and the same ``transformerKey`` give the same result. Called on background threads,
/// several at a time. It may give back the picture it got, which is then not changed.
public protocol ImageTransformer: Sendable {
    /// Names what the transformer does, with every parameter: results are found in the caches by it. Empty only for one
    /// that changes nothing, since the result then goes by the picture's own name.
    var transformerKey: String { get }
    /// Whether the result keeps what is known of where the picture came from: format, number of frames and loops,
    /// extended data, decode options. True by default. They tell of the file: a still picture made from an animated file
    /// has that file's ``ImageMetadata/frameCount`` and no ``Image/animation``.
    var preservesImageMetadata: Bool { get }
    /// The picture made of `image`, or nil when it cannot be made; loads then go on with `image` itself.
    ///
    /// - Parameter key: The name of the picture in the caches.
    func transform(_ image: Image, for key: CacheKey) -> Image?
}

extension ImageTransformer {
    /// True.
    public var preservesImageMetadata: Bool { true }
}
