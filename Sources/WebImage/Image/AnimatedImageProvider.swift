import FoundationEssentials

/// The frames of an animation, made when they are asked for. Any thread.
public protocol AnimatedImageProvider: AnyObject, Sendable {
    /// Frames, at least 1.
    var frameCount: Int { get }
    /// How often the animation plays; 0 is for ever.
    var loopCount: Int { get }
    /// The pixels of frame `index`, 0 being the first: the whole picture as it is seen. Decoded for each call, unless
    /// all frames are in memory; may take its time.
    ///
    /// - Throws: ``WebImageError/Code/badImageData`` for a frame that is damaged or not there.
    func frame(at index: Int) throws(WebImageError) -> Bitmap
    /// Seconds that frame `index` is shown; 0 for a frame that is not there.
    func duration(at index: Int) -> Double
    /// Decodes all frames so that ``frame(at:)`` answers at once. Blocks; not for the main thread.
    ///
    /// A memory cache that holds the picture already charges what the frames take when the picture is stored anew; the
    /// option ``WebImageOptions/preloadAllFrames`` decodes them before it is stored.
    func preloadAllFrames()
    /// Lets go of what ``preloadAllFrames()`` decoded. Does nothing unless the provider says otherwise.
    func unloadAllFrames()
    /// Whether all frames are in memory, where ``Image/memoryCost`` counts them. False unless the provider says otherwise.
    var isAllFramesLoaded: Bool { get }
    /// Bytes that it holds beside the pixels that ``Image/memoryCost`` counts: its file, and what frames are drawn on. Those
    /// of ``animatedImageData`` unless the provider says otherwise.
    var workingByteCount: Int { get }
    /// The file that the frames come from, for whoever stores the picture; nil, which is the default, when it was not
    /// kept.
    var animatedImageData: Data? { get }
}

extension AnimatedImageProvider {
    /// nil: the file was not kept.
    public var animatedImageData: Data? { nil }

    /// Those of the file that was kept.
    public var workingByteCount: Int { animatedImageData?.count ?? 0 }

    /// Does nothing.
    public func unloadAllFrames() {}

    /// False.
    public var isAllFramesLoaded: Bool { false }
}

/// A way of an app's own to hold animations; see ``WebImageContext/animatedImageClass``.
public protocol AnimatedImage: AnimatedImageProvider {
    /// Takes a whole file; nil when it is no animation of this kind.
    init?(data: Data, options: ImageDecodeOptions)
}
