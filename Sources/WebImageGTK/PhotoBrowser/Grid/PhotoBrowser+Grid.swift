import CGtk4
import WebImage

/// The grid of all photos.
extension PhotoBrowser {
    /// Whether the grid covers the pages.
    public var isGridVisible: Bool { gtk_revealer_get_reveal_child(OpaquePointer(gridHolder)) != 0 }

    /// Shows the grid, where there are thumbnails. It remembers where it was scrolled to, and scrolls so that the
    /// current photo is visible.
    public func showGrid() {
        guard hasGrid, !isGridVisible else { return }
        stopTurn()
        deck.settle()
        let grid = grid ?? PhotoGrid(self)
        if self.grid == nil { gtk_revealer_set_child(OpaquePointer(gridHolder), grid.widget) }
        self.grid = grid
        grid.resize(width: deck.view.width, height: deck.view.height)
        gridHolder.setVisible(true)
        gtk_revealer_set_reveal_child(OpaquePointer(gridHolder), 1)
        deck.isPlaying = false
        updateStatus()
        updateControls()
        grid.updateSelection()
        FrameTicks.next(of: gridHolder) { [weak self] in self?.grid?.showCurrent() }
        gtk_widget_grab_focus(grid.view)
    }

    /// Hides the grid: the current page is visible again.
    public func hideGrid() {
        guard isGridVisible else { return }
        gtk_revealer_set_reveal_child(OpaquePointer(gridHolder), 0)
        gridHolder.setVisible(false)
        deck.isPlaying = gtk_widget_get_mapped(stage) != 0
        gtk_widget_grab_focus(stage)
        updateStatus()
        updateControls()
        showControls()
    }

    /// Opens the photo of a thumbnail: its picture flies from the grid to its page.
    func open(_ index: Int) {
        guard index >= 0, index < numberOfPhotos else { return }
        let place = grid?.cell(at: index).map { ThumbnailPlace($0.view) }?.place(in: stage)
        deck.jump(to: index)
        hideGrid()
        if let place { flight.arrive(from: place) { [weak self] in self?.didArrive() } }
    }

    /// The load of an original, as its page does it.
    func originalRequest(at index: Int) -> ImageRequest? {
        guard let photo = try? dataSource?.photoBrowser(self, photoAt: index) else { return nil }
        return photo.request(covering: deck.pixels)
    }
}
