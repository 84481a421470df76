/// Limits for untrusted files. Checked on the header, before memory is allocated.
public struct ImageLimits: Sendable, Hashable {
    /// The maximum number of decoded pixels of one picture: 16,384 × 16,384 by default. A thumbnail of a decoder that
    /// does not hold the whole picture (JPEG) counts at its decoded size, and its source against
    /// ``maximumSourcePixelCount``.
    public var maximumPixelCount = 1 << 28
    /// The maximum number of pixels in a header, even for a thumbnail: 2³⁰ by default.
    public var maximumSourcePixelCount = 1 << 30
    /// The maximum number of bytes of a file: 256 MiB by default.
    public var maximumByteCount = 256 << 20
    /// The maximum number of frames of an animation: 10,000 by default.
    public var maximumFrameCount = 10_000
    /// The maximum number of scans of a progressive JPEG: 500 by default. Encoders write about ten; each costs a pass
    /// over the picture.
    public var maximumScanCount = 500

    /// The maximum processor time for decoding one file, or each further piece or frame of it, by an
    /// ``ImageCodersManager``: 30 s by default. Checked between rows, scans and frames; a single call of a codec library
    /// is bounded by the other limits. One call draws a whole SVG or a page of PDF: that is bounded in processes of their own
    /// (``DecoderIsolation``).
    public var maximumDecodeDuration = Duration.seconds(30)

    /// The maximum memory for decoding one file in a process of its own (``DecoderIsolation``), with the picture's pixels:
    /// 2 GiB by default. Without effect on pictures that are decoded in the app's process.
    public var maximumDecodeMemory = 2 << 30

    /// The default limits.
    public init() {}
}
