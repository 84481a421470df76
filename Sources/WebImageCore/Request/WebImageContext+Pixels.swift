/// The settings of decoding and encoding.
extension WebImageContext {
    /// How the picture is decoded.
    ///
    /// Each option can also be set on the context itself: `context.thumbnailPixelSize` is
    /// `context.decodeOptions.thumbnailPixelSize`.
    public var decodeOptions: ImageDecodeOptions {
        get { read { $0.decodeOptions } ?? ImageDecodeOptions() }
        set { change { $0.decodeOptions = newValue } }
    }

    /// One of ``decodeOptions``.
    public subscript<Value>(dynamicMember option: WritableKeyPath<ImageDecodeOptions, Value>) -> Value {
        get { decodeOptions[keyPath: option] }
        set { change { $0.decodeOptions[keyPath: option] = newValue } }
    }

    /// The class of animations; nil for the coder's own. A file that the class does not accept is decoded as usual.
    public var animatedImageClass: (any AnimatedImage.Type)? {
        get { read { $0.animatedImageClass } }
        set { change { $0.animatedImageClass = newValue } }
    }

    /// How a thumbnail or a transformed picture is encoded for the disk cache; a quality that is not chosen is 0.9 there.
    public var encodeOptions: ImageEncodeOptions? {
        get { read { $0.encodeOptions } }
        set { change { $0.encodeOptions = newValue } }
    }
}
