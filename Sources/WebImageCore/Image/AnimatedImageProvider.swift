import FoundationEssentials

/// The frames of an animation, decoded on demand. Any thread.
public protocol AnimatedImageProvider: AnyObject, Sendable {
    /// The number of frames, at least 1.
    var frameCount: Int { get }
    /// The number of plays; 0 for endless.
    var loopCount: Int { get }
    /// The pixels of frame `index`, from 0: the whole composed picture. Decoded at each call, unless all frames are in
    /// memory; may take long.
    ///
    /// - Throws: ``WebImageError/Code/badImageData`` for a frame that is damaged or does not exist.
    func frame(at index: Int) throws(WebImageError) -> Bitmap
    /// The duration of frame `index`; zero for a frame that does not exist.
    func duration(at index: Int) -> Duration
    /// Decodes all frames so that ``frame(at:)`` answers at once. Blocks; not for the main thread.
    ///
    /// A memory cache that already holds the picture charges for the frames when the picture is stored again; the
    /// option ``WebImageOptions/preloadAllFrames`` decodes them before the picture is stored.
    func preloadAllFrames()
    /// Releases the frames of ``preloadAllFrames()``. Does nothing by default.
    func unloadAllFrames()
    /// Whether all frames are in memory, where ``Image/memoryCost`` counts them. False by default.
    var isAllFramesLoaded: Bool { get }
    /// Bytes in memory besides the pixels that ``Image/memoryCost`` counts: the file, and canvases. By default those of
    /// ``animatedImageData``.
    var workingByteCount: Int { get }
    /// The file of the frames, for storing the picture; nil, the default, when it was not kept.
    var animatedImageData: Data? { get }
}

extension AnimatedImageProvider {
    /// nil: the file was not kept.
    public var animatedImageData: Data? { nil }

    /// The size of the kept file.
    public var workingByteCount: Int { animatedImageData?.count ?? 0 }

    /// Does nothing.
    public func unloadAllFrames() {}

    /// False.
    public var isAllFramesLoaded: Bool { false }
}

/// An app's own animation class; see ``WebImageContext/animatedImageClass``.
public protocol AnimatedImage: AnimatedImageProvider {
    /// Reads a whole file; nil when it is not an animation of this class.
    init?(data: Data, options: ImageDecodeOptions)
}
