import Synchronization

/// How bytes become pixels. Equal options make equal pixels of the same bytes; who may interrupt the work does not count.
public struct ImageDecodeOptions: Sendable, Hashable {
    /// The box that the picture is decoded to fit, in pixels; nil or an empty size decodes the whole. Never enlarges.
    public var thumbnailPixelSize: PixelSize?
    /// Whether a thumbnail keeps the picture's proportions (true) or fills the box exactly (false).
    public var preservesAspectRatio = true
    /// Whether a thumbnail that keeps its proportions covers the box, hanging over in one direction, in place of fitting
    /// into it. Of a strip that would be longer than sixteen boxes only as much is kept. Never enlarges, either.
    public var coversThumbnailBox = false
    /// Pixels per point of the result; values under 1, and those that are not finite, become 1.
    public var scaleFactor: Double = 1
    /// Whether the EXIF orientation is applied to the pixels.
    public var appliesOrientation = true
    /// Whether colours are converted to sRGB by what the file says of them: an ICC profile, or numbers for primaries and
    /// transfer function.
    public var convertsToSRGB = true
    /// The layout of the result's pixels.
    public var pixelFormat: PixelFormat = .rgba8Premultiplied
    /// What the file may ask for.
    public var limits = ImageLimits()
    /// Whether an animation is decoded to a still picture of its first frame.
    public var decodesFirstFrameOnly = false
    /// Which page of a document is decoded, 0, the default, being the first. TIFF and PDF have pages, as many as
    /// ``ImageProperties/frameCount`` says; other formats have none and ignore it.
    public var pageIndex = 0
    /// Bytes that all frames may take together; 0 for no limit. A picture that would take more is decoded at the largest
    /// size that fits, at least 1×1. Wins over ``thumbnailPixelSize``.
    public var scaleDownLimitBytes = 0
    /// Whether a thumbnail of a progressive JPEG may be made of the first scans that are enough for its size: of large
    /// photographs 45 dB from the exact one and more, in a fifth of the time and less. A preview; other formats and sizes
    /// are decoded exactly.
    ///
    /// A manager stops the transfer once those scans are there, so that the original reaches no cache, unless
    /// ``WebImageContext/originalStoreCacheType`` asks for it.
    public var decodesPreview = false
    /// Whether a picture of high dynamic range keeps it: its bitmap then has 16 bits a channel, whatever ``pixelFormat``
    /// says, and ``ColorSpace/bt2100PQ`` or ``ColorSpace/bt2100HLG``. Without it, and where ``convertsToSRGB`` is on, it is
    /// tone-mapped to sRGB; other pictures are the same either way.
    public var decodesToHDR = false
    /// Seconds from one picture of a part of a file that is still coming to the next, at least; 0.1 by default, 0 for as
    /// many as there are. What comes meanwhile is decoded together, and shown once. The first part and the whole never
    /// wait. Looked at by a manager's loads; who asks a progressive decoder himself has its parts when he asks.
    public var progressiveInterval = 0.1
    /// What the file may be, for formats that their bytes do not tell.
    public var formatHint = ImageFormatHint.automatic
    /// Raised by whoever no longer wants the result; decoders look at it between rows. Not part of the result.
    public var cancellation: CancellationFlag? {
        get { interruption.flag }
        set { interruption.flag = newValue }
    }

    /// Whether a progressive decoder shows what it has before it has enough for the result. Not part of the result.
    package var showsParts: Bool {
        get { interruption.showsParts }
        set { interruption.showsParts = newValue }
    }

    private var interruption = Interruption()
    private var values = CustomValues()

    /// The whole picture, upright, premultiplied sRGB.
    public init() {}

    /// Names a value for a coder of the app's own.
    public protocol Key {
        /// What is kept under the key. It tells decodes apart, so that each gets pixels of its own.
        associatedtype Value: Hashable & Sendable
    }

    /// The value for a coder of the app's own; nil when it was not set.
    public subscript<K: Key>(key: K.Type) -> K.Value? {
        get { values[ObjectIdentifier(key)] as? K.Value }
        set { values[ObjectIdentifier(key)] = newValue }
    }

    /// Tells the values for coders of the app's own from others; nil when there are none.
    var customVariant: String? { values.text }

    /// A limit for ``scaleDownLimitBytes`` that keeps a large picture from taking a phone's or a small computer's memory:
    /// what ``WebImageOptions/scaleDownLargeImages`` takes where the context names none. 90 MiB, as many as SDWebImage
    /// takes on the desktop; numbers under 4, which is one pixel, are ignored. Any thread.
    public static var defaultScaleDownLimitBytes: Int {
        get { defaultLimit.load(ordering: .relaxed) }
        set { if newValue >= 4 { defaultLimit.store(newValue, ordering: .relaxed) } }
    }

    private static let defaultLimit = Atomic(90 << 20)

    /// The pixels just as the file has them: straight alpha, not turned, no colour conversion. For tools.
    public static var storedPixels: ImageDecodeOptions {
        var options = ImageDecodeOptions()
        options.appliesOrientation = false
        options.convertsToSRGB = false
        options.pixelFormat = .rgba8Straight
        return options
    }

    /// Throws ``WebImageError/Code/cancelled`` when nobody wants the result any more, and
    /// ``WebImageError/Code/limitExceeded`` when ``ImageLimits/maximumDecodeDuration`` has passed since an
    /// ``ImageCodersManager`` began to decode. Cheap enough to be called for every row.
    public func checkCancellation() throws(WebImageError) {
        if cancellation?.isCancelled == true { throw .cancelled() }
        if let stopwatch = interruption.stopwatch, stopwatch.hasRun(longerThan: limits.maximumDecodeDuration) {
            throw .tookTooLong(limits)
        }
    }

    /// The same options for work that begins now and whose time is limited.
    func timed(by stopwatch: Stopwatch = Stopwatch()) -> ImageDecodeOptions {
        var options = self
        options.interruption.stopwatch = stopwatch
        return options
    }

    /// The same options for later, when nobody can interrupt the work and its time has not begun.
    package var uninterrupted: ImageDecodeOptions {
        var options = self
        options.interruption = Interruption()
        return options
    }
}

extension ImageDecodeOptions {
    /// The values for coders of the app's own.
    private struct CustomValues: Sendable, Hashable {
        private var values: [ObjectIdentifier: any Hashable & Sendable] = [:]

        subscript(key: ObjectIdentifier) -> (any Hashable & Sendable)? {
            get { values[key] }
            set { values[key] = newValue }
        }

        /// A name for these values within this process; nil for none.
        var text: String? {
            guard !values.isEmpty else { return nil }
            return values.map { "\($0.key)=\(String(reflecting: $0.value))" }.sorted().joined(separator: " ")
        }

        private var comparable: [ObjectIdentifier: AnyHashable] { values.mapValues { AnyHashable($0) } }

        static func == (lhs: Self, rhs: Self) -> Bool {
            lhs.values.count == rhs.values.count && (lhs.values.isEmpty || lhs.comparable == rhs.comparable)
        }

        func hash(into hasher: inout Hasher) {
            if !values.isEmpty { hasher.combine(comparable) }
        }
    }

    /// Who stops the work, and when, and what is shown of it meanwhile. Never tells options apart: it is no part of the
    /// result.
    private struct Interruption: Sendable, Hashable {
        var flag: CancellationFlag?
        var stopwatch: Stopwatch?
        var showsParts = true

        static func == (lhs: Self, rhs: Self) -> Bool { true }

        func hash(into hasher: inout Hasher) {}
    }
}
