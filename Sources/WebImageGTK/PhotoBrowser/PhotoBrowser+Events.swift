import CGtk4
import WebImage

/// The events of the browser, its pages and its widget.
extension PhotoBrowser {
    func indexHasChanged(to index: Int) {
        delegate?.photoBrowser(self, didDisplayPhotoAt: index)
        // A neighbour is loaded before its page is turned to.
        if let page = deck.current, !page.photo.isLoading, page.told == nil { announce(page) }
        video = nil
        ownCaption = nil
        updateStatus()
        updateControls()
        grid?.currentHasChanged()
    }

    /// The order is that of MWPhotoBrowser: the page shows the picture, the neighbours load, the delegate hears of it, and
    /// the controls follow.
    func loadingDidEnd(on page: PhotoPage) {
        if deck.position.visible.contains(page.index) { announce(page) }
        guard page === deck.current else { return }
        // A sharper decode that has failed is tried again only when the person zooms.
        if page.photo.error == nil { deck.sharpen() }
        updateStatus()
        updateControls()
    }

    /// Tells the delegate of the first picture on a page that is seen, and of a page without one. A picture that has only
    /// become sharper, or could not, is no news.
    private func announce(_ page: PhotoPage) {
        if page.hasPicture {
            guard page.told != .loaded, page.photo.isComplete, page.photo.error == nil else { return }
            page.told = .loaded
            delegate?.photoBrowser(self, didLoadPhotoAt: page.index, zoomScale: page.zoom.scale)
        } else if page.told != .failed, let error = page.photo.error, !page.photo.isEmpty {
            page.told = .failed
            delegate?.photoBrowser(self, didFailToLoadPhotoAt: page.index, error: error)
        }
    }

    func retry() {
        deck.retry()
        updateStatus()
    }

    func didAppear() {
        prepare()
        deck.isPlaying = !isGridVisible
        deck.isRightToLeft = gtk_widget_get_direction(stage) == GTK_TEXT_DIR_RTL
        deck.open()
        focusPages()
        if !wasMapped, startOnGrid { showGrid() }
        // Newer versions of GTK say of a widget that is mapped that it is not hidden.
        stage.setAccessibleHidden(isGridVisible)
        // Controls that the person has hidden stay hidden.
        if !wasMapped || areControlsVisible { showControls() }
        wasMapped = true
        autoPlay()
    }

    /// The browser is never left half-way: what moves is at its end when it is seen again.
    func didDisappear() {
        deck.isPlaying = false
        video?.pause()
        awaitsArrival = false
        menu = nil
        stopTurn()
        deck.settle()
        flight.cancel()
        hidingCall?.cancel()
        presentation?.widgetWasHidden()
    }

    /// The widget has left its window, which may have been destroyed: nothing is loaded until it is in one again.
    func rootHasChanged() {
        fullScreen.watchWindow()
        guard gtk_widget_get_root(widget) == nil else { return }
        deck.close()
        presentation?.end()
    }
}
