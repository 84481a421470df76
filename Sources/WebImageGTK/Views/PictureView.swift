import CGtk4
import FoundationEssentials
import WebImage

/// Loads pictures into a `GtkPicture` that the app already has.
///
/// A value without state of its own: make one wherever it is needed, it always means the same widget.
///
/// ```swift
/// let picture = gtk_picture_new()!
/// PictureView(picture).setImage(with: URL(string: "https://example.org/a.jpg"), placeholder: grey)
/// ```
/// Binding the widget to another URL, and destroying it, cancels what is under way. A result that comes too late is
/// never shown. Use on the main thread only, as all of GTK, and only while the widget lives.
@MainActor
public struct PictureView {
    /// Gets the end of a load, on the main thread and after the picture was set: exactly once for each call of
    /// ``PictureView/setImage(with:placeholder:options:context:progress:completed:)``. A load that was replaced, or
    /// whose widget was destroyed, ends with ``WebImageError/Code/cancelled``: not a failure to answer with another try,
    /// which would fight the load that came after it, and could not end on a widget that goes.
    public typealias Completion = (Result<LoadResult, WebImageError>) -> Void

    /// The widget.
    public let widget: UnsafeMutablePointer<GtkWidget>

    /// The picture view of `widget`, which must be a `GtkPicture`.
    public init(_ widget: UnsafeMutablePointer<GtkWidget>) { self.widget = widget }

    /// The picture view of a `GtkPicture *`, as bindings that know the type hand it out.
    public init(_ picture: OpaquePointer) {
        self.init(UnsafeMutableRawPointer(picture).assumingMemoryBound(to: GtkWidget.self))
    }

    /// Loads a picture and shows it.
    ///
    /// A picture in memory is there when this call returns. Until another arrives, and when none does, the placeholder
    /// is shown.
    /// - Parameters:
    ///   - url: Where the picture is; nil ends at once with ``WebImageError/Code/invalidURL``.
    ///   - placeholder: Shown at once; nil clears the view. With ``WebImageOptions/delayPlaceholder`` what the view
    ///     shows stays, and the placeholder comes only if the load ends without a picture.
    ///   - options: With ``WebImageOptions/avoidAutoSetImage`` the picture is handed to `completed` and not shown.
    ///   - context: Settings of this load. Its `callbackQueue` is not used: views are called on the main thread.
    ///   - progress: Called while bytes come, on any thread.
    ///   - completed: Gets the end of the load.
    /// - Returns: The load under way; nil when it has ended already.
    @discardableResult
    public func setImage(
        with url: URL?, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), progress: (@Sendable (LoadProgress) -> Void)? = nil,
        completed: Completion? = nil
    ) -> LoadOperation? {
        Coordinator.of(widget).load(
            ViewLoadRequest(
                url: url, placeholder: placeholder, options: options, context: context, progress: progress,
                completed: completed))
    }

    /// Loads a picture and shows it, with a completion as trailing closure; all else as in the full form.
    @discardableResult
    public func setImage(
        with url: URL?, placeholder: Image? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), completed: @escaping Completion
    ) -> LoadOperation? {
        setImage(
            with: url, placeholder: placeholder, options: options, context: context, progress: nil,
            completed: completed)
    }

    /// The URL of the latest ``setImage(with:placeholder:options:context:progress:completed:)``.
    public var currentImageURL: URL? { Coordinator.of(widget).url }

    /// Cancels the load under way, if there is one; its completion is called before this call returns.
    public func cancelCurrentImageLoad() { Coordinator.of(widget).cancel() }

    /// The picture that the widget shows; nil when it shows nothing, or something that was not set here. Setting it
    /// changes nothing about a load under way.
    public var image: Image? {
        get { Coordinator.of(widget).image }
        nonmutating set { Coordinator.of(widget).image = newValue }
    }
}
