import FoundationEssentials
import Synchronization

/// Options for decoding. The same bytes with equal options give equal pixels; the cancellation is ignored in
/// comparisons.
///
/// A load has those of its ``WebImageContext``: `context.thumbnailPixelSize = PixelSize(width: 300, height: 300)`.
public struct ImageDecodeOptions: Sendable, Hashable {
    /// The box that the picture is reduced to fit, in pixels; nil or an empty size decodes the full size. Never
    /// enlarges. Part of the cache key.
    public var thumbnailPixelSize: PixelSize?
    /// Whether a thumbnail keeps the picture's proportions (true) or fills the box exactly (false). Part of the cache
    /// key.
    public var preservesAspectRatio = true
    /// Whether a thumbnail that keeps its proportions covers the box, overhanging in one direction, instead of fitting
    /// into it: for views that crop. A strip longer than sixteen boxes is cropped to that. Never enlarges, either. Part of
    /// the cache key.
    public var coversThumbnailBox = false
    /// Pixels per point of the result; nil, the default, for that of the file's name (`photo@2x.jpg`), or else 1. Values
    /// under 1, and infinite or NaN ones, become 1.
    public var scaleFactor: Double?
    /// Whether the EXIF orientation is applied to the pixels.
    public var appliesOrientation = true
    /// Whether colours are converted to sRGB from the file's ICC profile, or from its coded primaries and transfer
    /// function.
    public var convertsToSRGB = true
    /// The layout of the result's pixels.
    public var pixelFormat: PixelFormat = .rgba8Premultiplied
    /// The limits for the file.
    public var limits = ImageLimits()
    /// Whether an animation is decoded to a still picture of its first frame.
    public var decodesFirstFrameOnly = false
    /// The page of a document to decode; 0, the default, is the first. TIFF and PDF have pages,
    /// ``ImageProperties/frameCount`` in number; other formats ignore it.
    public var pageIndex = 0
    /// The maximum number of bytes of all frames together; nil for no limit. A larger picture is decoded at the largest
    /// size that fits, at least 1×1. Has precedence over ``thumbnailPixelSize``, and over the limit of
    /// ``WebImageOptions/scaleDownLargeImages``.
    public var scaleDownLimitBytes: Int?
    /// Whether a thumbnail of a progressive JPEG may be decoded from only the scans that suffice for its size: for
    /// large photographs at least 45 dB from the exact one, in at most a fifth of the time. Other formats and sizes are
    /// decoded exactly.
    ///
    /// A manager ends the transfer once those scans have arrived, so that no cache gets the original, unless
    /// ``WebImageContext/originalStoreCacheType`` asks for it.
    public var decodesPreview = false
    /// Whether a picture of high dynamic range keeps it: its bitmap then has 16 bits a channel, regardless of
    /// ``pixelFormat``, and ``ColorSpace/bt2100PQ`` or ``ColorSpace/bt2100HLG``. Otherwise, with ``convertsToSRGB``, it
    /// is tone-mapped to sRGB. Other pictures are unaffected.
    public var decodesToHDR = false
    /// Whether a picture with colours outside of sRGB keeps them: its bitmap is then in ``ColorSpace/displayP3``, in
    /// ``pixelFormat``. Pictures within sRGB are in sRGB as always; colours outside of Display P3 are reduced to it.
    ///
    /// The colour space that the file names decides, not the pixels; profiles of gray and CMYK count as within sRGB. Of
    /// high dynamic range ``decodesToHDR`` decides alone. Without ``convertsToSRGB`` it has no effect. Tiles of huge
    /// pictures have the colours of the picture that they are drawn over.
    public var decodesToWideGamut = false
    /// Whether the loop count in a GIF file is that of all plays, as SDWebImage takes it. By default an animation with a
    /// loop count of 3 plays four times, as in browsers. Files are always written for browsers.
    public var countsPlaysOfGIF = false
    /// The minimum time between two partial pictures of an incomplete file; 100 ms by default, zero for no limit.
    /// Bytes that arrive meanwhile are decoded together and shown once. The first partial picture and the complete one
    /// never wait. Applies to a manager's loads; a direct user of a progressive decoder decides itself when to decode.
    public var progressiveInterval = Duration.milliseconds(100)
    /// The format of the file, for formats that their bytes do not identify; by default from the file's name.
    public var formatHint = ImageFormatHint.automatic
    /// The part of the pixels that the load's transformer begins with; nil, the default, for all. Only for still
    /// pictures, in place of a thumbnail.
    package var region: DecodeRegion?
    /// Raised when the result is no longer needed; decoders check it between rows. Ignored in comparisons.
    public var cancellation: CancellationFlag? {
        get { interruption.flag }
        set { interruption.flag = newValue }
    }

    /// Takes the rows of a still picture as they are decoded, in stored orientation, so that no memory is needed for the
    /// whole; the picture that the decode returns is one pixel then. Ignored in comparisons, and by coders that do not
    /// decode rows (``image(of:animation:fillRow:)`` heeds it).
    public var rowReceiver: (any PixelRowReceiver)? {
        get { interruption.rowReceiver }
        set { interruption.rowReceiver = newValue }
    }

    /// Whether a progressive decoder shows partial pictures before it has enough for the result. Ignored in
    /// comparisons.
    package var showsParts: Bool {
        get { interruption.showsParts }
        set { interruption.showsParts = newValue }
    }

    /// The address of the picture, which may share a worker with others of its origin. Ignored in comparisons.
    package var address: URL? {
        get { interruption.address }
        set { interruption.address = newValue }
    }

    private var interruption = Interruption()
    private var values = CustomValues()

    /// The whole picture with its orientation applied, in premultiplied sRGB.
    public init() {}

    /// Identifies a value for a coder of the app's own.
    public protocol Key {
        /// The type of the value. Decodes with different values do not share pixels.
        associatedtype Value: Hashable & Sendable
    }

    /// The value for a coder of the app's own; nil when it is not set.
    public subscript<K: Key>(key: K.Type) -> K.Value? {
        get { values[ObjectIdentifier(key)] as? K.Value }
        set { values[ObjectIdentifier(key)] = newValue }
    }

    /// Distinguishes the values for coders of the app's own; nil when there are none.
    package var customVariant: String? { values.text }

    /// A ``scaleDownLimitBytes`` that keeps a large picture from using up the memory of a phone or a small computer:
    /// the limit of ``WebImageOptions/scaleDownLargeImages`` where the context has none. 90 MiB, as in SDWebImage on
    /// the desktop; values under 4, which is one pixel, are ignored. Any thread.
    public static var defaultScaleDownLimitBytes: Int {
        get { defaultLimit.load(ordering: .relaxed) }
        set { if newValue >= 4 { defaultLimit.store(newValue, ordering: .relaxed) } }
    }

    private static let defaultLimit = Atomic(90 << 20)

    /// The pixels as in the file: straight alpha, stored orientation, no colour conversion. For tools.
    public static var storedPixels: ImageDecodeOptions {
        var options = ImageDecodeOptions()
        options.appliesOrientation = false
        options.convertsToSRGB = false
        options.pixelFormat = .rgba8Straight
        return options
    }

    /// Throws ``WebImageError/Code/cancelled`` when the result is no longer needed, and
    /// ``WebImageError/Code/limitExceeded`` when ``ImageLimits/maximumDecodeDuration`` has passed since an
    /// ``ImageCodersManager`` began to decode. Cheap enough to be called for every row.
    public func checkCancellation() throws(WebImageError) {
        if cancellation?.isCancelled == true { throw .cancelled() }
        if let stopwatch = interruption.stopwatch, stopwatch.hasRun(longerThan: limits.maximumDecodeDuration) {
            throw .tookTooLong(limits)
        }
    }

    /// The same options for work that begins now and has a time limit.
    package func timed(by stopwatch: Stopwatch = Stopwatch()) -> ImageDecodeOptions {
        var options = self
        options.interruption.stopwatch = stopwatch
        return options
    }

    /// The same options for later work, without cancellation and without a time limit that already runs.
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

        /// An identifier of these values within this process; nil for none.
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

    /// The cancellation, the time limit, the handling of partial pictures, and who may decode. Always equal in comparisons,
    /// because they do not affect the result.
    private struct Interruption: Sendable, Hashable {
        var flag: CancellationFlag?
        var stopwatch: Stopwatch?
        var showsParts = true
        var rowReceiver: (any PixelRowReceiver)?
        var address: URL?

        static func == (lhs: Self, rhs: Self) -> Bool { true }

        func hash(into hasher: inout Hasher) {}
    }
}
