import CGtk4
import WebImage

/// The grid of all photos.
extension PhotoBrowser {
    /// Whether the grid covers the pages.
    public var isGridVisible: Bool { panels.isGridVisible }

    /// Whether the grid can be shown.
    var hasGrid: Bool { (enableGrid || startOnGrid) && numberOfPhotos > 0 && photos.thumbnail(at: 0) != nil }

    /// Shows the grid, where there are thumbnails. It remembers where it was scrolled to, and scrolls so that the
    /// current photo is visible.
    public func showGrid() {
        guard hasGrid, !isGridVisible, !screen.isClosing else { return }
        pages.settle()
        pages.stopVideo()
        let grid = panels.grid ?? PhotoGrid(self)
        grid.resize(width: pages.deck.view.width, height: pages.deck.view.height)
        // A grid that comes first is above the pages, any other one below them.
        let slide = startOnGrid ? GTK_STACK_TRANSITION_TYPE_SLIDE_DOWN : GTK_STACK_TRANSITION_TYPE_SLIDE_UP
        panels.show(grid, screen.wasMapped ? slide : GTK_STACK_TRANSITION_TYPE_NONE)
        pages.stage.setAccessibleHidden(true)
        pages.deck.isPlaying = false
        pages.updateStatus()
        updateControls()
        grid.updateSelection()
        grid.willShow()
        gtk_widget_grab_focus(grid.view)
    }

    /// Hides the grid: the current page is visible again.
    public func hideGrid() { hideGrid(slides: true) }

    func hideGrid(slides: Bool) {
        guard isGridVisible else { return }
        let slide = startOnGrid ? GTK_STACK_TRANSITION_TYPE_SLIDE_UP : GTK_STACK_TRANSITION_TYPE_SLIDE_DOWN
        panels.hideGrid(slides && screen.wasMapped ? slide : GTK_STACK_TRANSITION_TYPE_NONE)
        pages.stage.setAccessibleHidden(false)
        pages.deck.isPlaying = gtk_widget_get_mapped(pages.stage) != 0
        gtk_widget_grab_focus(pages.stage)
        pages.updateStatus()
        updateControls()
        showControls()
    }

    /// Opens the photo of a thumbnail: its picture flies from the grid to its page.
    func open(_ index: Int) {
        guard index >= 0, index < numberOfPhotos, !screen.isClosing else { return }
        let place = panels.grid?.cell(at: index).map { ThumbnailPlace($0.view) }?.place(in: pages.stage)
        pages.deck.jump(to: index)
        hideGrid(slides: false)
        if let place { pages.flight.arrive(from: place, ground: 1) { [weak self] in self?.didArrive() } }
    }

    /// The photo of a page; nil where there is no such photo.
    func originalPhoto(at index: Int) -> Photo? {
        guard index >= 0, index < numberOfPhotos else { return nil }
        return try? photos.photo(at: index)
    }
}
