import FoundationEssentials

/// The frames of an animation, made when they are asked for. Any thread.
public protocol AnimatedImageProvider: AnyObject, Sendable {
    /// Frames, at least 1.
    var frameCount: Int { get }
    /// How often the animation plays; 0 is for ever.
    var loopCount: Int { get }
    /// The pixels of frame `index`, 0 being the first.
    func frame(at index: Int) throws(WebImageError) -> Bitmap
    /// Seconds that frame `index` is shown.
    func duration(at index: Int) -> Double
    /// Decodes all frames so that ``frame(at:)`` answers at once. Blocks; not for the main thread.
    func preloadAllFrames()
    /// The file that the frames come from, for whoever stores the picture; nil, which is the default, when it was not
    /// kept.
    var animatedImageData: Data? { get }
}

extension AnimatedImageProvider {
    /// nil: the file was not kept.
    public var animatedImageData: Data? { nil }
}

/// A way of an app's own to hold animations; see ``WebImageContext/animatedImageClass``.
public protocol AnimatedImage: AnimatedImageProvider {
    /// Takes a whole file; nil when it is no animation of this kind.
    init?(data: Data, options: ImageDecodeOptions)
}
