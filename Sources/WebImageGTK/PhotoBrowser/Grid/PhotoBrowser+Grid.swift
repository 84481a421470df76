import CGtk4
import WebImage

/// The grid of all photos.
extension PhotoBrowser {
    /// Whether the grid covers the pages.
    public var isGridVisible: Bool {
        grid.map { gtk_stack_get_visible_child(OpaquePointer(gridHolder)) == $0.widget } ?? false
    }

    /// Shows the grid, where there are thumbnails. It remembers where it was scrolled to, and scrolls so that the
    /// current photo is visible.
    public func showGrid() {
        guard hasGrid, !isGridVisible, presentation?.isClosing != true else { return }
        stopTurn()
        deck.settle()
        video = nil
        let grid = grid ?? PhotoGrid(self)
        if self.grid == nil { gtk_stack_add_child(OpaquePointer(gridHolder), grid.widget) }
        self.grid = grid
        grid.resize(width: deck.view.width, height: deck.view.height)
        gtk_widget_set_can_target(gridHolder, 1)
        // A grid that comes first is above the pages, any other one below them.
        slide(to: grid.widget, startOnGrid ? GTK_STACK_TRANSITION_TYPE_SLIDE_DOWN : GTK_STACK_TRANSITION_TYPE_SLIDE_UP)
        stage.setAccessibleHidden(true)
        deck.isPlaying = false
        updateStatus()
        updateControls()
        grid.updateSelection()
        grid.willShow()
        gtk_widget_grab_focus(grid.view)
    }

    /// Hides the grid: the current page is visible again.
    public func hideGrid() { hideGrid(slides: true) }

    func hideGrid(slides: Bool) {
        guard isGridVisible else { return }
        grid?.willHide()
        let away = startOnGrid ? GTK_STACK_TRANSITION_TYPE_SLIDE_UP : GTK_STACK_TRANSITION_TYPE_SLIDE_DOWN
        slide(to: noGrid, slides ? away : GTK_STACK_TRANSITION_TYPE_NONE)
        stage.setAccessibleHidden(false)
        gtk_widget_set_can_target(gridHolder, 0)
        deck.isPlaying = gtk_widget_get_mapped(stage) != 0
        gtk_widget_grab_focus(stage)
        updateStatus()
        updateControls()
        showControls()
    }

    private func slide(to child: UnsafeMutablePointer<GtkWidget>, _ direction: GtkStackTransitionType) {
        gtk_stack_set_transition_type(OpaquePointer(gridHolder), wasMapped ? direction : GTK_STACK_TRANSITION_TYPE_NONE)
        gtk_stack_set_visible_child(OpaquePointer(gridHolder), child)
    }

    /// Opens the photo of a thumbnail: its picture flies from the grid to its page.
    func open(_ index: Int) {
        guard index >= 0, index < numberOfPhotos, presentation?.isClosing != true else { return }
        let place = grid?.cell(at: index).map { ThumbnailPlace($0.view) }?.place(in: stage)
        deck.jump(to: index)
        hideGrid(slides: false)
        if let place { flight.arrive(from: place, ground: 1) { [weak self] in self?.didArrive() } }
    }

    /// The photo of a page; nil where there is no such photo.
    func originalPhoto(at index: Int) -> Photo? {
        guard index >= 0, index < numberOfPhotos else { return nil }
        return try? photos.photo(at: index)
    }
}
