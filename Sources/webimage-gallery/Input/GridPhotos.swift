import FoundationEssentials
import WebImage
import WebImageGTK

/// The pictures of a grid as the photos of a browser, which fly from their cells, and back into them.
final class GridPhotos: PhotoBrowserDataSource, PhotoBrowserDelegate {
    private let grid: PictureGrid
    private let context: WebImageContext
    /// Those that the grid had last: a browser that closes shows them to the end.
    private(set) var items: [GalleryItem]
    /// Photos that are loaded before a page asks for them.
    private var ready: [URL: Photo] = [:]
    /// When a page had its picture, or its failure.
    private(set) var settledAt: ContinuousClock.Instant?
    /// Called when the person closes the browser.
    var finished: () -> Void = {}

    /// The longer side of thumbnails of pictures that no cell shows.
    private static let thumbnailSide = 320

    /// - Parameter items: nil for those of the grid.
    init(_ grid: PictureGrid, context: WebImageContext, items: [GalleryItem]? = nil) {
        self.grid = grid
        self.context = context
        self.items = items ?? grid.items
    }

    /// A page will show this photo of its address.
    func keepReady(_ photo: Photo) { if let url = photo.url { ready[url] = photo } }

    /// Takes the pictures that the grid has now.
    ///
    /// - Returns: Where the picture at `index` is now; for one that has gone, where the next one is that has not.
    func update(at index: Int) -> (index: Int, isSame: Bool) {
        let former = items
        items = grid.items
        let places = Dictionary(items.enumerated().map { ($1.url, $0) }) { first, _ in first }
        if former.indices.contains(index), let place = places[former[index].url] { return (place, true) }
        let others = Array(former.dropFirst(index + 1)) + former.prefix(index).reversed()
        return (others.lazy.compactMap { places[$0.url] }.first ?? 0, false)
    }

    func numberOfPhotos(in browser: PhotoBrowser) -> Int { items.count }

    func photoBrowser(_ browser: PhotoBrowser, photoAt index: Int) -> Photo? {
        guard items.indices.contains(index) else { return nil }
        return ready.removeValue(forKey: items[index].url) ?? photo(items[index])
    }

    func photoBrowser(_ browser: PhotoBrowser, thumbPhotoAt index: Int) -> Photo? {
        guard items.indices.contains(index) else { return nil }
        if let cell = grid.visibleCell(at: index), cell.hasPicture, let image = cell.view.image {
            return Photo(image: image)
        }
        let thumbnail = photo(items[index])
        thumbnail.caption = nil
        thumbnail.context.decodeOptions.thumbnailPixelSize = PixelSize(
            width: Self.thumbnailSide, height: Self.thumbnailSide)
        return thumbnail
    }

    func photoBrowser(_ browser: PhotoBrowser, thumbnailViewAt index: Int) -> (any WidgetView)? {
        grid.visibleCell(at: index)?.view
    }

    func photo(_ item: GalleryItem) -> Photo { Photo(of: item, context) }

    /// The cell of the picture comes into sight, so that the picture can fly back.
    func photoBrowser(_ browser: PhotoBrowser, didDisplayPhotoAt index: Int) {
        guard grid.visibleCell(at: index) == nil else { return }
        grid.scroll(to: index)
    }

    func photoBrowser(_ browser: PhotoBrowser, didLoadPhotoAt index: Int, zoomScale: Double) { settledAt = .now }

    func photoBrowser(_ browser: PhotoBrowser, didFailToLoadPhotoAt index: Int, error: WebImageError) {
        settledAt = .now
    }

    func photoBrowser(_ browser: PhotoBrowser, messageFor error: WebImageError, at index: Int) -> String? {
        items.indices.contains(index) ? "\(items[index].name): \(error.sentence)" : error.sentence
    }

    func photoBrowserDidFinishPresentation(_ browser: PhotoBrowser) -> Bool {
        finished()
        return false
    }
}

extension Photo {
    /// The photo of a picture of the gallery.
    convenience init(of item: GalleryItem, _ context: WebImageContext) {
        self.init(url: item.url)
        (name, caption) = (item.name, item.name)
        self.context = context.suited(to: item.url)
        options = options.suited(to: item.url)
    }
}
