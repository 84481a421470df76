/// The properties of a file's picture, read without decoding pixels.
public struct ImageProperties: Sendable, Equatable {
    /// The format, from the bytes.
    public var format: ImageFormat
    /// The width and height of the upright picture.
    public var pixelSize: PixelSize
    /// The orientation tag; `.up` when there is none.
    public var orientation: ImageOrientation
    /// The number of frames; for a document (TIFF, PDF) the number of pages; 1 for a still picture.
    public var frameCount: Int
    /// The number of plays of an animation; 0 for endless and for a still picture.
    public var loopCount: Int
    /// The duration of each frame, as in the file; empty for a still picture.
    public var frameDurations: [Duration]
    /// Whether the file has an alpha channel or a transparent colour.
    public var hasAlpha: Bool
    /// The bits of one colour channel.
    public var bitsPerChannel: Int
    /// The name in the ICC profile; nil without a profile.
    public var iccProfileName: String?

    /// By default, the properties of a still, upright picture.
    public init(
        format: ImageFormat, pixelSize: PixelSize, orientation: ImageOrientation = .up, frameCount: Int = 1,
        loopCount: Int = 0, frameDurations: [Duration] = [], hasAlpha: Bool = false, bitsPerChannel: Int = 8,
        iccProfileName: String? = nil
    ) {
        self.format = format
        self.pixelSize = pixelSize
        self.orientation = orientation
        self.frameCount = frameCount
        self.loopCount = loopCount
        self.frameDurations = frameDurations
        self.hasAlpha = hasAlpha
        self.bitsPerChannel = bitsPerChannel
        self.iccProfileName = iccProfileName
    }
}
