/// How much a stranger's file may ask for. Checked on the header, before memory is taken.
public struct ImageLimits: Sendable, Hashable {
    /// Pixels of one picture as it is decoded: 16,384 × 16,384 by default. A thumbnail that a decoder makes without
    /// holding the whole picture (JPEG) is measured at the size it is decoded at, and its source against
    /// ``maximumSourcePixelCount``.
    public var maximumPixelCount = 1 << 28
    /// Pixels that a header may claim at all, thumbnail or not: 2³⁰ by default.
    public var maximumSourcePixelCount = 1 << 30
    /// Bytes of one file: 256 MiB by default.
    public var maximumByteCount = 256 << 20
    /// Frames of one animation: 10,000 by default.
    public var maximumFrameCount = 10_000
    /// Scans of one progressive JPEG: 500 by default. Encoders write about ten; each costs a pass over the picture.
    public var maximumScanCount = 500
    /// Elements of one SVG, as often as they are drawn: 200,000 by default. librsvg, which draws them, cannot be
    /// interrupted.
    public var maximumElementCount = 200_000
    /// Elements of an SVG within each other: 200 by default. libxml2 takes 256.
    public var maximumElementDepth = 200
    /// Pixels that filters, masks, opacity and pictures in one SVG pass over together: 2³⁰ by default, which takes some ten
    /// seconds.
    public var maximumEffectPixelCount = 1 << 30

    /// Seconds of a processor that one file may take to decode, or each further piece or frame of it, where
    /// ``ImageCodersManager`` has it decoded: 30 by default. Looked at between rows, scans and frames; what a codec
    /// library does at one go is bounded by the other limits.
    public var maximumDecodeDuration = 30.0

    /// The default limits.
    public init() {}
}
