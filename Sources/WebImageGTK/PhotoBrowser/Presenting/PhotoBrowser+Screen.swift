import CGtk4
import WebImage

/// Opening and closing.
extension PhotoBrowser: BrowserScreenDelegate {
    /// Whether the browser is on the screen by ``present(from:)`` or ``presentWindow(over:)``, and not on its way out.
    public var isPresented: Bool { screen.isTaken && !screen.isClosing }

    /// Opens the browser over the content of the view's window: the picture of the view flies to its page, and back into
    /// it when the browser is closed.
    ///
    /// The content of the window gets a `GtkOverlay` around it, unless it is one: a list makes its cells anew then, so that
    /// a window with a list does better with an overlay from the beginning. Windows of libadwaita and dialogs keep their
    /// content to themselves: there the browser covers the outermost `GtkOverlay` around the view, and has a window of its
    /// own where there is none. A view without a picture, or without a window, opens the browser without a flight; one
    /// without a window in a window of its own. Does nothing when the browser is presented already, and warns when the app
    /// has put it into its own layout; a browser that was closed can be presented again.
    public func present(from view: any WidgetView) {
        guard canBePresented else { return }
        guard let content = ContentSeat.content(around: view.widget) else {
            return presentWindow(over: view.widget.window)
        }
        let thumbnail = view.image == nil ? nil : ThumbnailPlace(view)
        // Measured now: under its new parent, the content has no size until the next layout.
        let place = thumbnail?.place(in: content)
        pages.deck.resize(to: content.pointSize, scale: Double(gtk_widget_get_scale_factor(content)))
        present(in: ContentSeat(over: content), from: thumbnail, at: place)
    }

    /// Opens the browser in a window of its own, which closes with its parent. Does nothing when the browser is presented
    /// already, and warns when the app has put it into its own layout.
    ///
    /// - Parameter parent: The window that it belongs to; nil for none.
    public func presentWindow(over parent: UnsafeMutablePointer<GtkWindow>? = nil) {
        guard canBePresented else { return }
        let seat = WindowSeat(over: parent) { [weak self] in self?.finish() }
        present(in: seat, from: nil, at: nil)
    }

    private var canBePresented: Bool {
        guard !screen.isTaken else { return false }
        guard gtk_widget_get_parent(widget) != nil else { return true }
        WebImageLog.warn(
            "a photo browser in an app's own layout cannot be presented: make another one for that, or take its widget out "
                + "of its parent first")
        return false
    }

    private func present(
        in seat: any BrowserSeat, from thumbnail: ThumbnailPlace?, at place: PictureFlight.Place?
    ) {
        let first = min(currentIndex, max(0, numberOfPhotos - 1))
        screen.take(seat, for: self, at: first, from: thumbnail)
        prepare()
        pages.deck.open()
        // After the page, which takes its own from memory.
        listOriginals?.prefetcher.isResting = true
        screen.begin(at: place)
        if pages.flight.isRunning { return panels.controls.setVisible(false) }
        autoPlay()
    }

    /// Closes the browser, if it is presented: the photo flies back into its thumbnail where that is on the screen, and
    /// fades out otherwise; a page without a picture goes at once. Photos are let go of.
    public func dismiss() {
        guard screen.isTaken else { return }
        input?.cancelDrag()
        pages.settle()
        if pages.deck.current?.handoff.phase.isAnimating == true { pages.deck.current?.advanceHandoff(.cancelled) }
        pages.stopVideo()
        panels.closeMenu()
        if isGridVisible { hideGrid() }
        panels.controls.setVisible(false)
        pages.status.content = .none
        screen.close()
    }

    /// Whether the browser has made the window full-screen.
    var hasFilledScreen: Bool { screen.fullScreen.isOn }

    // MARK: Events

    func thumbnailView(at index: Int) -> (any WidgetView)? {
        dataSource?.photoBrowser(self, thumbnailViewAt: index)
    }

    func didArrive() {
        showControls()
        pages.updateStatus()
        autoPlay()
    }

    func presentationHasEnded() {
        hideGrid(slides: false)
        pages.flight.cancel()
        pages.deck.close()
        photos.forgetPhotos()
        listOriginals?.prefetcher.isResting = false
        pages.updateStatus()
        // The end of a movement shows the controls, for a time that nobody waits for.
        panels.cancelHiding()
    }

    /// Plays the video of the first page once, when nothing moves any more.
    private func autoPlay() {
        guard !hasAutoPlayed, !screen.awaitsArrival, gtk_widget_get_mapped(widget) != 0 else { return }
        hasAutoPlayed = true
        if autoPlayOnAppear, !isGridVisible, currentPhoto?.isVideo == true { pages.playVideo() }
    }

    func didAppear() {
        prepare()
        pages.deck.isPlaying = !isGridVisible
        pages.deck.isRightToLeft = gtk_widget_get_direction(pages.stage) == GTK_TEXT_DIR_RTL
        pages.deck.open()
        focusPages()
        if !screen.wasMapped, startOnGrid { showGrid() }
        // Newer versions of GTK say of a widget that is mapped that it is not hidden.
        pages.stage.setAccessibleHidden(isGridVisible)
        // Controls that the person has hidden stay hidden.
        if !screen.wasMapped || areControlsVisible { showControls() }
        screen.wasMapped = true
        autoPlay()
    }

    /// The browser is never left half-way: what moves is at its end when it is seen again.
    func didDisappear() {
        pages.deck.isPlaying = false
        pages.video?.pause()
        panels.closeMenu()
        pages.settle()
        pages.flight.cancel()
        panels.cancelHiding()
        screen.widgetWasHidden()
    }

    /// The widget has left its window, which may have been destroyed: nothing is loaded until it is in one again.
    func rootHasChanged() {
        if gtk_widget_get_root(widget) == nil { pages.deck.close() }
        screen.rootHasChanged()
    }
}
