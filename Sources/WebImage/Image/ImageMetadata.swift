import FoundationEssentials

/// What an ``Image`` remembers of where it came from.
public struct ImageMetadata: Sendable, Hashable {
    /// The format that the pixels were decoded from; `.undefined` for a picture made in memory.
    public var format: ImageFormat
    /// The whole picture's size in the file, which a thumbnail's own size is not; nil when not decoded from a file.
    public var originalPixelSize: PixelSize?
    /// Frames in the file, 1 for a still picture.
    public var frameCount: Int
    /// How often the file's animation plays; 0 is for ever, and a still picture has 0.
    public var loopCount: Int
    /// True for a picture decoded straight to a smaller size.
    public var isThumbnail: Bool
    /// True for a partial picture of a file that is still coming.
    public var isIncremental = false
    /// True for what a transformer made.
    public var isTransformed = false
    /// True for a picture that was drawn from shapes at the size asked for.
    public var isVector = false
    /// The app's own bytes, kept with the picture on disk.
    public var extendedData: Data?

    /// Metadata of a still picture; `.undefined` suits pixels made in memory.
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
    /// What the picture's own file must say of the whole, once it is written; nil for a picture that is no reduced one.
    var wholePixelSize: PixelSize? { isThumbnail ? originalPixelSize : nil }
}
