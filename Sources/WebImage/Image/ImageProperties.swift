/// What a file says of its picture before any pixel is decoded.
public struct ImageProperties: Sendable, Hashable {
    /// The format, from the bytes.
    public var format: ImageFormat
    /// Width and height as a person sees them.
    public var pixelSize: PixelSize
    /// The orientation tag; `.up` when there is none.
    public var orientation: ImageOrientation
    /// How many frames; of a document (TIFF, PDF) how many pages; 1 for a still picture.
    public var frameCount: Int
    /// How often an animation plays; 0 is for ever, and a still picture has 0.
    public var loopCount: Int
    /// Milliseconds that each frame stands, as the file says them; empty for a still picture.
    public var frameDurations: [Int]
    /// Whether the file has an alpha channel or a transparent colour.
    public var hasAlpha: Bool
    /// Bits of one colour channel.
    public var bitsPerChannel: Int
    /// The name in the ICC profile; nil without a profile.
    public var iccProfileName: String?

    /// Properties of a still, upright picture unless said otherwise.
    public init(
        format: ImageFormat, pixelSize: PixelSize, orientation: ImageOrientation = .up, frameCount: Int = 1,
        loopCount: Int = 0, frameDurations: [Int] = [], hasAlpha: Bool = false, bitsPerChannel: Int = 8,
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
