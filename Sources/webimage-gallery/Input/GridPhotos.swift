import FoundationEssentials
import WebImage
import WebImageGTK

/// The pictures of a grid as the photos of a browser, which fly from their cells, and back into them.
final class GridPhotos: PhotoBrowserDataSource, PhotoBrowserDelegate {
    private let grid: PictureGrid
    private let context: WebImageContext
    /// Those that the grid had at the beginning: a browser that closes shows them to the end.
    private let items: [GalleryItem]

    /// The longer side of thumbnails of pictures that no cell shows.
    private static let thumbnailSide = 320

    init(_ grid: PictureGrid, context: WebImageContext) {
        self.grid = grid
        self.context = context
        items = grid.items
    }

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

    /// The cell of the picture comes into sight, so that the picture can fly back.
    func photoBrowser(_ browser: PhotoBrowser, didDisplayPhotoAt index: Int) {
        guard grid.visibleCell(at: index) == nil else { return }
        grid.scroll(to: index)
    }
}
