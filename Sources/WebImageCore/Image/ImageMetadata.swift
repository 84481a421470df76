import FoundationEssentials

/// The metadata of an ``Image`` about its origin.
public struct ImageMetadata: Sendable, Hashable {
    /// The format that the pixels were decoded from; `.undefined` for a picture made in memory.
    public var format: ImageFormat
    /// The size of the whole picture in the file, which differs from a thumbnail's size; nil when not decoded from a
    /// file.
    public var originalPixelSize: PixelSize?
    /// The number of frames in the file, 1 for a still picture.
    public var frameCount: Int
    /// The number of plays of the file's animation; 0 for endless and for a still picture.
    public var loopCount: Int
    /// Whether the picture was decoded to a smaller size.
    public var isThumbnail: Bool
    /// Whether it is a partial picture of an incomplete file.
    public var isIncremental = false
    /// Whether a transformer made it.
    public var isTransformed = false
    /// Whether it was rendered from vector graphics at the requested size.
    public var isVector = false
    /// The app's own bytes, kept with the picture on disk.
    public var extendedData: Data?

    /// Metadata of a still picture; use `.undefined` for pixels made in memory.
    public init(
        format: ImageFormat = .undefined, originalPixelSize: PixelSize? = nil, frameCount: Int = 1, loopCount: Int = 0,
        isThumbnail: Bool = false
    ) {
        self.format = format
        self.originalPixelSize = originalPixelSize
        self.frameCount = frameCount
        self.loopCount = loopCount
        self.isThumbnail = isThumbnail
    }
}

extension ImageMetadata {
    /// The size of the whole picture to store with a thumbnail's own file; nil for a full-size picture.
    package var wholePixelSize: PixelSize? { isThumbnail ? originalPixelSize : nil }
}
