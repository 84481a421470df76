import WebImageCoders

extension ImageCodersManager {
    /// The choice of formats that are decoded in processes of their own; none by default. Any thread; applies to
    /// decodes that begin later. The helper program is started for the first picture, which waits for it.
    ///
    /// The library's own coders of these formats only encode then, and need not be registered for decoding: the helper has
    /// them. This also holds for one of the library's coders that a request of such a manager chooses
    /// (``WebImageContext/coder``). A coder of the app's own decodes in the app's process.
    public var isolation: DecoderIsolation {
        get { (decoderChoice as? IsolatedDecoders)?.isolation ?? .inProcess }
        set {
            decoderChoice =
                newValue.formats == .nothing ? nil : IsolatedDecoders(newValue, source: DecoderPrograms.of(newValue))
        }
    }
}
