import CGtk4
import FoundationEssentials
import WebImage
import WebImageGTK

/// Opens the pictures of a grid in a browser. Whenever the grid rests, the originals of what it shows are loaded at the size
/// of a page, so that a click opens them at once.
final class PictureBrowsing {
    private let grid: PictureGrid
    private let context: WebImageContext
    /// With the pictures of the grid; made when it is first needed.
    private(set) var browser: PhotoBrowser?
    private var photos: GridPhotos?
    /// Is loaded before the page shows it in place of the former one, whose file has changed.
    private var replacement: Photo?
    /// The list has changed while pages were turned: they take it when they rest.
    private var following: DelayedCall?

    /// Between two looks at pages that move.
    private static let followsAfter = Duration.milliseconds(100)

    init(_ grid: PictureGrid, context: WebImageContext) {
        self.grid = grid
        self.context = context
        grid.activated = { [weak self] in self?.open(at: $0) }
        grid.moved = { [weak self] in self?.prefetchNothing() }
        grid.rested = { [weak self] in self?.prefetch($0) }
        following = DelayedCall(after: Self.followsAfter) { [weak self] in self?.follow() }
    }

    /// Opens the browser at a picture, unless it is open, or on its way out.
    func open(at index: Int) {
        guard grid.items.indices.contains(index), !isOpen else { return }
        let browser = browserOfGrid
        browser.setCurrentPhotoIndex(index)
        browser.present(from: grid.visibleCell(at: index)?.view ?? Anywhere(widget: grid.widget))
    }

    /// Opens the browser with one picture, before the grid has it and its neighbours.
    ///
    /// - Parameter photo: The same picture, where it is being loaded already.
    func open(_ item: GalleryItem, _ photo: Photo? = nil) {
        close()
        let photos = GridPhotos(grid, context: context, items: [item])
        if let photo { photos.keepReady(photo) }
        makeBrowser(photos).present(from: Anywhere(widget: grid.widget))
    }

    /// The view for a picture that no cell shows.
    private struct Anywhere: WidgetView {
        let widget: Widget
    }

    /// Whether the browser is in the window.
    var isOpen: Bool { browser.map { gtk_widget_get_parent($0.widget) != nil } ?? false }

    /// When the page that is open had its picture, or its failure; nil before that, and without a page.
    var settledAt: ContinuousClock.Instant? { isOpen ? photos?.settledAt : nil }

    /// The grid will show other pictures. The browser closes with those that it has.
    func close() {
        prefetchNothing()
        browser?.dismiss()
        (browser, photos, replacement) = (nil, nil, nil)
    }

    private var browserOfGrid: PhotoBrowser { browser ?? makeBrowser(GridPhotos(grid, context: context)) }

    private func makeBrowser(_ photos: GridPhotos) -> PhotoBrowser {
        let browser = PhotoBrowser(dataSource: photos)
        browser.delegate = photos
        browser.displayNavArrows = true
        // The browser does not retain them.
        _ = AssociatedObject.of("webimage-gallery-photos", on: browser.widget) { photos }
        photos.finished = { [weak self, weak browser] in
            if let self, let browser { focusCell(after: browser) }
        }
        (self.browser, self.photos) = (browser, photos)
        return browser
    }

    /// The cell of the picture that was seen last gets the focus when the browser has gone.
    private func focusCell(after browser: PhotoBrowser) {
        FrameTicks.next(of: grid.widget) { [weak self, weak browser] in
            guard let self, let browser, browser === self.browser else { return }
            isOpen ? focusCell(after: browser) : grid.focus(on: browser.currentIndex)
        }
    }

    private func prefetch(_ visible: Range<Int>) {
        if !visible.isEmpty { browserOfGrid.prefetchOriginals(of: visible, in: grid.widget) }
    }

    /// Thumbnails come first while the grid scrolls, and most of what flies by is never opened.
    private func prefetchNothing() { browser?.prefetchOriginals(of: 0..<0, in: grid.widget) }
}

// MARK: - Changes

extension PictureBrowsing {
    /// The grid has other pictures in place of those that it had, and so has the browser. It stays at its picture or, where
    /// that has gone, at the next one.
    ///
    /// - Parameter changed: Those whose files are others now.
    func follow(changed: Set<URL>) {
        guard let browser, let photos, browser.isPresented, !grid.items.isEmpty else { return close() }
        let index = browser.currentIndex
        guard photos.items.indices.contains(index), changed.contains(photos.items[index].url),
            let item = grid.items.first(where: { $0.url == photos.items[index].url })
        else { return follow() }
        replace(by: item, browser)
    }

    private func follow() {
        guard let browser, let photos, isOpen else { return }
        guard browser.isAtRest else { following?.start(); return }
        let (index, isSame) = photos.update(at: browser.currentIndex)
        if isSame { browser.reloadData(around: index) } else { browser.reloadData(at: index) }
    }

    /// The page keeps its picture until the new one is there.
    private func replace(by item: GalleryItem, _ browser: PhotoBrowser) {
        let photo = Photo(of: item, context)
        replacement = photo
        photo.observe(as: self) { [weak self, weak photo] update in
            guard case .loadingDidEnd = update, let self, let photo, photo === replacement else { return }
            photo.stopObserving(as: self)
            replacement = nil
            show(photo)
        }
        photo.loadUnderlyingImage(covering: browser.pagePixels)
    }

    private func show(_ photo: Photo) {
        guard let browser, let photos, isOpen else { return }
        let (index, _) = photos.update(at: browser.currentIndex)
        photos.keepReady(photo)
        browser.reloadData(at: index)
    }
}
