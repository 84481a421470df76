import CGtk4

/// A widget over a view that shows that a picture is being loaded, and optionally the progress.
///
/// ```swift
/// PictureView(picture).imageIndicator = ActivityIndicator.large
/// ```
/// ``ActivityIndicator``, ``ProgressIndicator`` and ``CircularProgressIndicator`` use GTK's own widgets;
/// ``CustomIndicator`` shows a widget of the app's. All methods are called on the main thread: `startAnimating` when a
/// load with a URL begins, `stopAnimating` when the view's last load has ended, for whatever reason. An indicator
/// belongs to one view at a time; setting it on another view removes it from the former one. Its visibility before the
/// first start is its own choice.
@MainActor
public protocol WebImageIndicator: AnyObject {
    /// The widget that is laid over the view; always the same one. The indicator should own a reference to it
    /// (`g_object_ref_sink`).
    ///
    /// It is centred in the view at the size that it requests; a widget that requests none gets the view's size. A
    /// widget that expands (`gtk_widget_set_hexpand`) is as long as the view; one with an alignment other than fill
    /// (`gtk_widget_set_halign`) is aligned accordingly. A widget that already has a parent stays there and is only
    /// started and stopped.
    var indicatorView: UnsafeMutablePointer<GtkWidget> { get }
    /// Shows it. Called again only after ``stopAnimating()``.
    func startAnimating()
    /// Hides it.
    func stopAnimating()
    /// Shows the progress from 0 to 1; 0 while the total is unknown. Does nothing by default.
    func updateProgress(_ progress: Double)
}

extension WebImageIndicator {
    /// Does nothing: for indicators without progress.
    public func updateProgress(_ progress: Double) {}
}
