/// The settings of decoding and encoding.
extension WebImageContext {
    /// The box in pixels that the picture is decoded to fit; nil decodes the whole. Part of the cache key.
    public var imageThumbnailPixelSize: PixelSize? {
        get { read { $0.imageThumbnailPixelSize } }
        set { change { $0.imageThumbnailPixelSize = newValue } }
    }

    /// Whether a thumbnail keeps the picture's proportions (the default) or fills the box. Part of the cache key.
    public var imagePreserveAspectRatio: Bool? {
        get { read { $0.imagePreserveAspectRatio } }
        set { change { $0.imagePreserveAspectRatio = newValue } }
    }

    /// Whether a thumbnail that keeps its proportions covers the box, instead of fitting into it (the default): for
    /// views that crop. Part of the cache key.
    public var imageCoversThumbnailBox: Bool? {
        get { read { $0.imageCoversThumbnailBox } }
        set { change { $0.imageCoversThumbnailBox = newValue } }
    }

    /// Pixels per point of the picture; by default according to the file's name (`photo@2x.jpg`), otherwise 1. Values
    /// under 1, and those that are not finite, become 1.
    public var imageScaleFactor: Double? {
        get { read { $0.imageScaleFactor } }
        set { change { $0.imageScaleFactor = newValue } }
    }

    /// The most bytes of all frames together; a larger picture is decoded smaller. Overrides the thumbnail size.
    public var imageScaleDownLimitBytes: Int? {
        get { read { $0.imageScaleDownLimitBytes } }
        set { change { $0.imageScaleDownLimitBytes = newValue } }
    }

    /// Whether a coder that can keeps high dynamic range.
    public var imageDecodeToHDR: Bool? {
        get { read { $0.imageDecodeToHDR } }
        set { change { $0.imageDecodeToHDR = newValue } }
    }

    /// The format hint, for formats that the bytes do not identify; by default from the file's name.
    public var imageTypeIdentifierHint: ImageFormatHint? {
        get { read { $0.imageTypeIdentifierHint } }
        set { change { $0.imageTypeIdentifierHint = newValue } }
    }

    /// When the picture is decoded to pixels; see ``ForceDecodePolicy``.
    public var imageForceDecodePolicy: ForceDecodePolicy? {
        get { read { $0.imageForceDecodePolicy } }
        set { change { $0.imageForceDecodePolicy = newValue } }
    }

    /// The class of animations; nil for the coder's own. A file that the class does not accept is decoded as usual.
    public var animatedImageClass: (any AnimatedImage.Type)? {
        get { read { $0.animatedImageClass } }
        set { change { $0.animatedImageClass = newValue } }
    }

    /// All other decode options; the properties above have precedence.
    public var imageDecodeOptions: ImageDecodeOptions? {
        get { read { $0.imageDecodeOptions } }
        set { change { $0.imageDecodeOptions = newValue } }
    }

    /// How a thumbnail or a transformed picture is encoded for the disk cache; a quality that is not chosen is 0.9 there.
    public var imageEncodeOptions: ImageEncodeOptions? {
        get { read { $0.imageEncodeOptions } }
        set { change { $0.imageEncodeOptions = newValue } }
    }
}
