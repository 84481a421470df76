import CGtk4
import WebImage
import WebImageGTK

/// Opens the pictures of a grid in a browser. Whenever the grid rests, the originals of what it shows are loaded at the size
/// of a page, so that a click opens them at once.
final class PictureBrowsing {
    private let grid: PictureGrid
    private let context: WebImageContext
    /// With the pictures of the grid; made when it is first needed.
    private(set) var browser: PhotoBrowser?

    init(_ grid: PictureGrid, context: WebImageContext) {
        self.grid = grid
        self.context = context
        grid.activated = { [weak self] in self?.open(at: $0) }
        grid.moved = { [weak self] in self?.prefetchNothing() }
        grid.rested = { [weak self] in self?.prefetch($0) }
    }

    /// Opens the browser at a picture, unless it is open, or on its way out.
    func open(at index: Int) {
        guard grid.items.indices.contains(index), !isOpen else { return }
        let browser = browserOfGrid
        browser.setCurrentPhotoIndex(index)
        browser.present(from: grid.visibleCell(at: index)?.view ?? Anywhere(widget: grid.widget))
    }

    /// Where no cell shows the picture.
    private struct Anywhere: WidgetView {
        let widget: Widget
    }

    /// Whether the browser is in the window.
    var isOpen: Bool { browser.map { gtk_widget_get_parent($0.widget) != nil } ?? false }

    /// The grid will show other pictures. The browser closes with those that it has.
    func close() {
        prefetchNothing()
        browser?.dismiss()
        browser = nil
    }

    private var browserOfGrid: PhotoBrowser {
        if let browser { return browser }
        let photos = GridPhotos(grid, context: context)
        let browser = PhotoBrowser(dataSource: photos)
        browser.delegate = photos
        browser.displayNavArrows = true
        // The browser does not retain them.
        _ = AssociatedObject.of("webimage-gallery-photos", on: browser.widget) { photos }
        self.browser = browser
        return browser
    }

    private func prefetch(_ visible: Range<Int>) {
        if !visible.isEmpty { browserOfGrid.prefetchOriginals(of: visible, in: grid.widget) }
    }

    /// Thumbnails come first while the grid scrolls, and most of what flies by is never opened.
    private func prefetchNothing() { browser?.prefetchOriginals(of: 0..<0, in: grid.widget) }
}
