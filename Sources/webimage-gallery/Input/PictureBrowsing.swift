import CGtk4
import FoundationEssentials
import WebImage
import WebImageGTK

/// Opens the pictures of a grid in a browser: they fly from their cells, and back into them.
final class PictureBrowsing: PhotoBrowserDataSource, PhotoBrowserDelegate {
    private let grid: PictureGrid
    private let context: WebImageContext
    private(set) var browser: PhotoBrowser?
    /// Those of the grid when the browser was opened.
    private var items: [GalleryItem] = []

    /// The longer side of thumbnails of pictures that no cell shows.
    private static let thumbnailSide = 320

    init(_ grid: PictureGrid, context: WebImageContext) {
        self.grid = grid
        self.context = context
    }

    /// Opens the browser at a picture, unless it is open.
    func open(at index: Int) {
        guard browser == nil, grid.items.indices.contains(index) else { return }
        items = grid.items
        let browser = PhotoBrowser(dataSource: self)
        browser.delegate = self
        browser.displayNavArrows = true
        browser.setCurrentPhotoIndex(index)
        self.browser = browser
        connect(UnsafeMutableRawPointer(browser.widget), "unmap") { [weak self] in self?.browserWasHidden() }
        browser.present(from: grid.visibleCell(at: index)?.view ?? Anywhere(widget: grid.widget))
    }

    /// Where no cell shows the picture.
    private struct Anywhere: WidgetView {
        let widget: Widget
    }

    /// The grid shows other pictures now.
    func close() { browser?.dismiss() }

    /// It is closed, or its window is minimised.
    private func browserWasHidden() {
        Frames.next(of: grid.widget) { [weak self] in
            guard let self, browser?.isPresented == false else { return }
            browser = nil
            items = []
        }
    }

    // MARK: Photos

    func numberOfPhotos(in browser: PhotoBrowser) -> Int { items.count }

    func photoBrowser(_ browser: PhotoBrowser, photoAt index: Int) -> Photo? {
        guard items.indices.contains(index) else { return nil }
        let item = items[index]
        let photo = photo(item)
        photo.caption = item.name
        return photo
    }

    func photoBrowser(_ browser: PhotoBrowser, thumbPhotoAt index: Int) -> Photo? {
        guard items.indices.contains(index) else { return nil }
        if let cell = grid.visibleCell(at: index), cell.hasPicture, let image = cell.view.image {
            return Photo(image: image)
        }
        let thumbnail = photo(items[index])
        thumbnail.context.decodeOptions.thumbnailPixelSize = PixelSize(
            width: Self.thumbnailSide, height: Self.thumbnailSide)
        return thumbnail
    }

    func photoBrowser(_ browser: PhotoBrowser, thumbnailViewAt index: Int) -> (any WidgetView)? {
        grid.visibleCell(at: index)?.view
    }

    private func photo(_ item: GalleryItem) -> Photo {
        let photo = Photo(url: item.url)
        photo.name = item.name
        photo.context = context.suited(to: item.url)
        return photo
    }

    // MARK: What happens

    /// The cell of the picture comes into sight, so that the picture can fly back.
    func photoBrowser(_ browser: PhotoBrowser, didDisplayPhotoAt index: Int) {
        guard grid.visibleCell(at: index) == nil else { return }
        grid.scroll(to: index)
    }
}
