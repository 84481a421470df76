import CGtk4
import WebImage

/// Brings the photos of a browser, which asks for those near its current one only. On the main thread.
@MainActor
public protocol PhotoBrowserDataSource: AnyObject {
    /// How many photos there are; asked again by ``PhotoBrowser/reloadData()``.
    func numberOfPhotos(in browser: PhotoBrowser) -> Int

    /// The photo of an index; nil shows an empty page, and an error a page with a complaint and a button to try again.
    /// Asked once, until ``PhotoBrowser/reloadData()``; only a photo that holds its picture (`.image`), one that has
    /// failed, nil and an error are asked for again when their page has been away.
    func photoBrowser(_ browser: PhotoBrowser, photoAt index: Int) throws -> Photo?

    /// The thumbnail of an index, for the grid and as long as the photo is loaded; nil, the default, for none. A browser
    /// whose first photo has none has no grid.
    func photoBrowser(_ browser: PhotoBrowser, thumbPhotoAt index: Int) -> Photo?

    /// The view of the app that shows the thumbnail of an index, where it is on the screen: the photo flies into it when
    /// the browser is closed. nil, the default, for the one that it was presented from, as long as that is the current
    /// photo.
    func photoBrowser(_ browser: PhotoBrowser, thumbnailViewAt index: Int) -> (any WidgetView)?
}

extension PhotoBrowserDataSource {
    /// None.
    public func photoBrowser(_ browser: PhotoBrowser, thumbPhotoAt index: Int) -> Photo? { nil }
    /// None.
    public func photoBrowser(_ browser: PhotoBrowser, thumbnailViewAt index: Int) -> (any WidgetView)? { nil }
}
