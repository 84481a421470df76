import WebImage

/// The size that pictures of a view are decoded at, where their load does not set it (for instance by
/// ``WebImage/WebImageContext/imageThumbnailPixelSize``).
public enum ImageSizing: Sendable, Hashable {
    /// Like ``view`` in the cells of lists (GTK's list and grid views, list boxes and flow boxes) and for a fixed size,
    /// and like ``file`` everywhere else.
    case automatic
    /// The size of the view, in device pixels.
    ///
    /// A load begins when the view has a size: at once with a fixed size or a size request, otherwise in the frame after the view
    /// appears, or after a second or two without a frame. A view with a width whose height comes from the picture, such
    /// as a row of a feed, decodes to its width; likewise with width and height exchanged. A view with neither decodes
    /// at the file's size. A picture that covers its view is decoded to cover it. When the view grows, the picture is
    /// decoded again and the former one stays until that is done; when the view shrinks, nothing happens. The layout is
    /// that of the full-size picture.
    case view
    /// The size of the file.
    case file
}

extension WidgetView {
    /// The size that pictures of this place are decoded at; ``ImageSizing/automatic`` by default. A change applies to
    /// later loads.
    ///
    /// Each place of a widget has its own value. Until it is set, a button's pictures for its states inherit it from
    /// the normal state, its backgrounds from the background of the normal state, and a highlighted picture from the
    /// usual one.
    public var imageSizing: ImageSizing {
        get { Coordinator.of(widget).surface.admission.sizing(of: slot) }
        nonmutating set { Coordinator.of(widget).surface.admission.setSizing(newValue, of: slot) }
    }

    /// The number of draws of the widget's pictures at rest: for measurements.
    package var imageDrawCount: Int { Coordinator.of(widget).surface.drawCount }

    /// The decode size of a picture loaded now: for prefetching it, so that the view finds it in memory; see
    /// ``imageCoversPixelSize``. nil where the view decodes at the file's size, and while it has no size.
    public var imagePixelSize: PixelSize? { decodeBox?.size }

    /// Whether pictures are decoded to cover ``imagePixelSize``, because the view crops or stretches them: the value of
    /// ``WebImage/WebImageContext/imageCoversThumbnailBox`` for a prefetch. nil where ``imagePixelSize`` is nil.
    public var imageCoversPixelSize: Bool? { decodeBox?.isCovered }

    private var decodeBox: DecodeBox? {
        Coordinator.of(widget).surface.admission.box(of: slot)
    }
}
