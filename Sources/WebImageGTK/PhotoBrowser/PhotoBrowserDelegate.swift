import CGtk4
import WebImage

/// Hears of what happens in a browser, and may do it in another way. All methods have a default. On the main thread.
@MainActor
public protocol PhotoBrowserDelegate: AnyObject {
    /// The caption of a photo as a `GtkWidget`, which the browser takes; nil, the default, for
    /// ``WebImage/Photo/caption``.
    func photoBrowser(_ browser: PhotoBrowser, captionViewAt index: Int) -> UnsafeMutablePointer<GtkWidget>?

    /// The title of a photo, where there are several; nil, the default, for "3 of 12".
    func photoBrowser(_ browser: PhotoBrowser, titleAt index: Int) -> String?

    /// A photo is the current one now: once for each change, also for the first one.
    func photoBrowser(_ browser: PhotoBrowser, didDisplayPhotoAt index: Int)

    /// The picture of a photo is there, and its page shows it.
    ///
    /// - Parameter zoomScale: The factor that the page has given it.
    func photoBrowser(_ browser: PhotoBrowser, didLoadPhotoAt index: Int, zoomScale: Double)

    /// The picture of a photo could not be loaded, and its page says so.
    func photoBrowser(_ browser: PhotoBrowser, didFailToLoadPhotoAt index: Int, error: WebImageError)

    /// The text of a page without a picture about its failure, for people; nil, the default, for the error's
    /// description.
    func photoBrowser(_ browser: PhotoBrowser, messageFor error: WebImageError, at index: Int) -> String?

    /// The button for actions was pressed.
    ///
    /// - Returns: Whether the app has done all that is to be done; false, the default, for the browser's own menu.
    func photoBrowser(_ browser: PhotoBrowser, actionButtonPressedAt index: Int) -> Bool

    /// Whether a photo is selected; the app keeps the selection. false by default.
    func photoBrowser(_ browser: PhotoBrowser, isPhotoSelectedAt index: Int) -> Bool

    /// The person has selected a photo, or no longer.
    func photoBrowser(_ browser: PhotoBrowser, photoAt index: Int, selectedChanged isSelected: Bool)

    /// The person wants to leave the browser, by its button, Escape, a swipe, or the window. Asked before it closes, in
    /// spite of the name; not asked by ``PhotoBrowser/dismiss()``.
    ///
    /// - Returns: Whether the app closes it itself; false, the default, lets the browser do that.
    func photoBrowserDidFinishPresentation(_ browser: PhotoBrowser) -> Bool
}

extension PhotoBrowserDelegate {
    /// None.
    public func photoBrowser(_ browser: PhotoBrowser, captionViewAt index: Int) -> UnsafeMutablePointer<GtkWidget>? {
        nil
    }
    /// None.
    public func photoBrowser(_ browser: PhotoBrowser, titleAt index: Int) -> String? { nil }
    /// Does nothing.
    public func photoBrowser(_ browser: PhotoBrowser, didDisplayPhotoAt index: Int) {}
    /// Does nothing.
    public func photoBrowser(_ browser: PhotoBrowser, didLoadPhotoAt index: Int, zoomScale: Double) {}
    /// Does nothing.
    public func photoBrowser(_ browser: PhotoBrowser, didFailToLoadPhotoAt index: Int, error: WebImageError) {}
    /// The error's description.
    public func photoBrowser(_ browser: PhotoBrowser, messageFor error: WebImageError, at index: Int) -> String? { nil }
    /// Leaves it to the browser.
    public func photoBrowser(_ browser: PhotoBrowser, actionButtonPressedAt index: Int) -> Bool { false }
    /// None is selected.
    public func photoBrowser(_ browser: PhotoBrowser, isPhotoSelectedAt index: Int) -> Bool { false }
    /// Does nothing.
    public func photoBrowser(_ browser: PhotoBrowser, photoAt index: Int, selectedChanged isSelected: Bool) {}
    /// Leaves it to the browser.
    public func photoBrowserDidFinishPresentation(_ browser: PhotoBrowser) -> Bool { false }
}
