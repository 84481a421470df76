import CGtk4
import FoundationEssentials
import WebImage

/// A widget that shows the picture of a URL, for code that has no widget yet.
///
/// ```swift
/// let portrait = WebImageView()
/// portrait.placeholder = silhouette
/// portrait.contentFit = .cover
/// portrait.cornerRadius = 12
/// portrait.imageTransition = .fade
/// portrait.imageIndicator = ActivityIndicator.large
/// portrait.url = URL(string: "https://example.org/ada.jpg")
/// gtk_box_append(box, portrait.widget)
/// ```
/// The widget is a `GtkPicture`, which this object retains. In a window it may outlive this object, and keeps its
/// picture and its loads. On the main thread only.
@MainActor
public class WebImageView: HighlightableView {
    /// The `GtkPicture`, to be added to a window.
    public let widget: UnsafeMutablePointer<GtkWidget>

    /// The picture's URL; nil for none. A new value cancels the load of the former one.
    public var url: URL? {
        didSet { if url != oldValue { reload() } }
    }

    /// Shown while there is no picture; nil by default.
    public var placeholder: Image? {
        didSet { if showsNothing(but: oldValue) { showPlaceholder() } }
    }

    /// The options of later loads; none by default.
    public var options: WebImageOptions = []
    /// The context of later loads.
    public var context = WebImageContext()

    /// Called at the end of each later load, after the picture was set; a load that was replaced fails with code
    /// `cancelled`. Not called for a nil ``url``.
    public var onLoad: Completion?

    /// The way the picture fits into the view; ``ContentFit/contain`` by default.
    public var contentFit: ContentFit = .contain {
        didSet { widget.pictureFit = contentFit }
    }

    /// The exact size of the view, in points; nil, the default, for a view as large as its container allows. See
    /// ``PictureView/fixedSize``.
    public var fixedSize: PointSize? {
        get { PictureView(widget).fixedSize }
        set { PictureView(widget).fixedSize = newValue }
    }

    /// The radius of the view's corners, in points; 0, the default, for none. It does not clip a picture that does not
    /// reach the corners.
    public var cornerRadius: Double = 0 {
        didSet { RoundedCorners.set(cornerRadius, on: widget) }
    }

    /// A view as large as its container allows, or of exactly one size in every container: an avatar, the header of a
    /// page. Its pictures are decoded for its size: ``imageSizing`` is ``ImageSizing/view``. With a size they are decoded
    /// at once, before the view is in a window.
    ///
    /// ```swift
    /// let avatar = WebImageView(url, size: PointSize(width: 48, height: 48), placeholder: silhouette)
    /// let header = WebImageView(url, size: PointSize(width: 0, height: 220))  // as wide as its container
    /// ```
    /// - Parameters:
    ///   - url: The picture's address; nil for none yet.
    ///   - size: In points; see ``PictureView/fixedSize``.
    ///   - placeholder: See ``placeholder``.
    public init(_ url: URL? = nil, size: PointSize? = nil, placeholder: Image? = nil) {
        let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
        g_object_ref_sink(picture)
        widget = picture
        imageSizing = .view
        if let size { fixedSize = size }
        self.placeholder = placeholder
        self.url = url
    }

    isolated deinit { g_object_unref(widget) }

    /// The picture of ``widget``.
    public var slot: PictureSlot { PictureView(widget).slot }

    /// Loads the picture of ``url`` again, as ``WidgetView/reload(options:setImage:progress:completed:)`` does for all views,
    /// but with the view's present placeholder, options and context, and a report to ``onLoad``.
    ///
    /// - Parameter options: Options for this time alone, besides ``options``.
    public func reload(options: WebImageOptions = []) {
        let (url, onLoad, all) = (url, onLoad, self.options.union(options))
        setImage(with: url, placeholder: placeholder, options: all, context: context) { result in
            if url != nil { onLoad?(result) }
        }
    }

    /// Whether there is no picture, neither from a load nor from the app.
    private func showsNothing(but placeholder: Image?) -> Bool {
        !loads.upkeep.hasPicture(at: slot.key) && image === placeholder?.drawn
    }

    private func showPlaceholder() {
        loads.upkeep.forget(slot.key)
        Coordinator.of(widget).surface.show(placeholder, as: .placeholder, in: self)
    }
}
