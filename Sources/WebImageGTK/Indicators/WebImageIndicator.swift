import CGtk4

/// A widget over a view that says that a picture is on its way, and perhaps how far it has come.
///
/// ```swift
/// PictureView(picture).imageIndicator = ActivityIndicator.large
/// ```
/// ``ActivityIndicator``, ``ProgressIndicator`` and ``CircularProgressIndicator`` are made of GTK's own widgets;
/// ``CustomIndicator`` shows one of the app's. An indicator is told on the main thread only: to start when a load with a
/// URL begins, and to stop when no load of the view runs any more, however it ended. It belongs to one view at a time, and
/// leaves the former one by itself. Until it is started first, it is as visible as it makes itself.
@MainActor
public protocol WebImageIndicator: AnyObject {
    /// The widget that is laid over the view; the same one every time. It should be kept alive by a reference of the
    /// indicator's own (`g_object_ref_sink`).
    ///
    /// It lies in the middle of the view in the size that it asks for; one that asks for none gets the size of the view.
    /// Where it expands (`gtk_widget_set_hexpand`) it is as long as the view, and where it is not aligned to fill
    /// (`gtk_widget_set_halign`) it lies as it wants to. A widget that has a parent already stays there, and is only
    /// started and stopped.
    var indicatorView: UnsafeMutablePointer<GtkWidget> { get }
    /// Shows it. Called again only after ``stopAnimating()``.
    func startAnimating()
    /// Hides it.
    func stopAnimating()
    /// Shows how much has arrived, from 0 to 1; 0 while nobody knows how much there is. Does nothing by default.
    func updateProgress(_ progress: Double)
}

extension WebImageIndicator {
    /// Nothing: for indicators that only say that something happens.
    public func updateProgress(_ progress: Double) {}
}
