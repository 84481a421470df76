import WebImage

/// How large the pictures of a view are decoded, where their load does not say it: with
/// ``WebImage/WebImageContext/imageThumbnailPixelSize``, say.
public enum ImageSizing: Sendable, Hashable {
    /// As ``view`` in the cells of lists, of GTK's list and grid views and of its list and flow boxes, and as ``file``
    /// everywhere else.
    case automatic
    /// To what the view shows, in the screen's pixels: a load begins when the view has its size, which is at once for one
    /// with a size request, and otherwise in the frame after it appears, or when no frame comes for a second or two. A
    /// view that has a width then and gets its height from the picture, as in the rows of a feed, or the other way round,
    /// takes pictures as wide, or as high, as it is; one that has neither takes them as they are. A picture that covers
    /// its view is decoded to cover it. When the view grows, the picture is decoded anew, and stays until that is done;
    /// when it shrinks, nothing happens. The view is laid out as if the picture were there as a whole.
    case view
    /// As large as they are.
    case file
}

extension WidgetView {
    /// How large the pictures of this place are decoded; ``ImageSizing/automatic`` by default. A change counts for loads
    /// that begin after it.
    ///
    /// Each place of a widget has its own. Until something is said of them, a button's pictures for its states do as that
    /// for the normal state, its backgrounds as that for the normal state, and a highlighted picture as the usual one.
    public var imageSizing: ImageSizing {
        get { Coordinator.of(widget).surface.admission.sizing(of: slot) }
        nonmutating set { Coordinator.of(widget).surface.admission.setSizing(newValue, of: slot) }
    }

    /// How often the pictures of the widget were drawn when nothing moved: for measurements.
    package var imageDrawCount: Int { Coordinator.of(widget).surface.drawCount }

    /// What a picture would be decoded for now: for prefetching it, so that the view finds it in memory; see
    /// ``imageCoversPixelSize``. nil where the view takes pictures as they are, and as long as it has no size.
    public var imagePixelSize: PixelSize? { decodeBox?.size }

    /// Whether pictures are decoded to cover ``imagePixelSize``, because the view cuts off what hangs over or stretches
    /// them: what ``WebImage/WebImageContext/imageCoversThumbnailBox`` has to be for a prefetch. nil where that is nil.
    public var imageCoversPixelSize: Bool? { decodeBox?.isCovered }

    private var decodeBox: DecodeBox? {
        Coordinator.of(widget).surface.admission.box(of: slot)
    }
}
