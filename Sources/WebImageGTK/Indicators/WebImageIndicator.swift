import CGtk4

/// A widget over a view that says that a picture is on its way.
///
/// ```swift
/// PictureView(picture).imageIndicator = MyIndicator()
/// ```
/// It is told on the main thread only: to start when a load with a URL begins, and to stop when no load of the view runs
/// any more, however it ended. One indicator belongs to one view.
@MainActor
public protocol WebImageIndicator: AnyObject {
    /// The widget that is laid over the view; the same one every time.
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
