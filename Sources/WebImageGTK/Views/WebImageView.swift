import CGtk4
import FoundationEssentials
import WebImage

/// A widget that shows the picture of a URL: for new code that has none yet.
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
/// The widget is a `GtkPicture`, which this object keeps alive. It may outlive this object in a window, with what it shows
/// and loads then. On the main thread only.
@MainActor
public final class WebImageView: HighlightableView {
    /// The `GtkPicture`, to be put into a window.
    public let widget: UnsafeMutablePointer<GtkWidget>

    /// Where the picture is; nil for none. Setting another one loads that in place of the one before it.
    public var url: URL? {
        didSet { if url != oldValue { reload() } }
    }

    /// Shown while there is no picture; nil by default.
    public var placeholder: Image? {
        didSet { if showsNothing(but: oldValue) { image = placeholder } }
    }

    /// Shown when the picture cannot be loaded; nil, the default, for the placeholder.
    public var errorImage: Image?
    /// How pictures are loaded from now on; none by default.
    public var options: WebImageOptions = []
    /// How pictures are loaded from now on. An `errorImage` in it is not used.
    public var context = WebImageContext()

    /// Gets the end of each load from now on, after the picture was set; those of loads that were replaced are failures
    /// of code `cancelled`. Not called for a ``url`` that is nil.
    public var onLoad: Completion?

    /// How the picture is laid into the view; ``ContentFit/contain`` by default.
    public var contentFit: ContentFit = .contain {
        didSet { gtk_picture_set_content_fit(OpaquePointer(widget), contentFit.ofPictures) }
    }

    /// Rounds the view's corners, in points; 0, the default, for none. A picture that does not fill the view reaches none.
    public var cornerRadius: Double = 0 {
        didSet { RoundedCorners.set(cornerRadius, on: widget) }
    }

    /// A view that shows nothing, and is as large as its container wants. Its pictures are decoded for its size:
    /// ``imageSizing`` is ``ImageSizing/view``.
    public init() {
        let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
        g_object_ref_sink(picture)
        widget = picture
        imageSizing = .view
    }

    /// A view of `url`.
    public convenience init(_ url: URL?, placeholder: Image? = nil) {
        self.init()
        self.placeholder = placeholder
        self.url = url
    }

    isolated deinit { g_object_unref(widget) }

    /// The picture of ``widget``.
    public var slot: PictureSlot { PictureView(widget).slot }

    /// Loads the picture of ``url`` once more.
    public func reload() {
        let (url, onLoad) = (url, onLoad)
        setImage(with: url, placeholder: placeholder, options: options, context: contextOfLoad) { result in
            if url != nil { onLoad?(result) }
        }
    }

    /// Whether there is no picture, neither one that a load has brought nor one that the app has set.
    private func showsNothing(but placeholder: Image?) -> Bool {
        !loads.upkeep.hasPicture(at: slot.key) && image === placeholder
    }

    /// The app's own settings, and what the view itself knows of the picture that it needs.
    private var contextOfLoad: WebImageContext {
        var context = context
        context.errorImage = errorImage
        return context
    }
}

extension ContentFit {
    fileprivate var ofPictures: GtkContentFit {
        switch self {
        case .fill: GTK_CONTENT_FIT_FILL
        case .contain: GTK_CONTENT_FIT_CONTAIN
        case .cover: GTK_CONTENT_FIT_COVER
        case .scaleDown: GTK_CONTENT_FIT_SCALE_DOWN
        }
    }
}
