import CGtk4
import WebImage

/// Opening and closing.
extension PhotoBrowser {
    /// Whether the browser is on the screen by ``present(from:)`` or ``presentWindow(over:)``, and not on its way out.
    public var isPresented: Bool { presentation.map { !$0.isClosing } ?? false }

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
        deck.resize(to: content.pointSize, scale: Double(gtk_widget_get_scale_factor(content)))
        present(in: ContentSeat(over: content), from: thumbnail, at: place)
    }

    /// Opens the browser in a window of its own, which closes with its parent. Does nothing when the browser is presented
    /// already, and warns when the app has put it into its own layout.
    ///
    /// - Parameter parent: The window that it belongs to; nil for none.
    public func presentWindow(over parent: UnsafeMutablePointer<GtkWindow>? = nil) {
        guard canBePresented else { return }
        let seat = WindowSeat(title: "Photos", over: parent) { [weak self] in self?.finish() }
        present(in: seat, from: nil, at: nil)
    }

    private var canBePresented: Bool {
        guard presentation == nil else { return false }
        guard gtk_widget_get_parent(widget) != nil else { return true }
        WebImageLog.warn(
            "a photo browser in an app's own layout cannot be presented: make another one for that, or take its widget out "
                + "of its parent first")
        return false
    }

    private func present(
        in seat: any BrowserSeat, from thumbnail: ThumbnailPlace?, at place: PictureFlight.Place?
    ) {
        let presentation = BrowserPresentation(self, in: seat, from: thumbnail)
        self.presentation = presentation
        prepare()
        deck.open()
        // After the page, which takes its own from memory.
        listOriginals?.prefetcher.isResting = true
        awaitsArrival = place != nil
        presentation.begin(at: place)
        if flight.isRunning { return controls.setVisible(false) }
        awaitsArrival = false
        autoPlay()
    }

    /// Closes the browser, if it is presented: the photo flies back into its thumbnail where that is on the screen, and
    /// fades out otherwise; a page without a picture goes at once. Photos are let go of.
    public func dismiss() {
        guard let presentation else { return }
        input?.cancelDrag()
        stopTurn()
        deck.settle()
        if deck.current?.handoff.phase.isAnimating == true { deck.current?.advanceHandoff(.cancelled) }
        video = nil
        menu = nil
        if isGridVisible { hideGrid() }
        controls.setVisible(false)
        status.content = .none
        presentation.close()
    }

    /// Whether there is something to go back from: the full screen, the grid, or the browser itself.
    var canBeLeft: Bool { presentation != nil || hasFilledScreen || isGridVisible }

    /// Whether a swipe closes it.
    var canSwipeToDismiss: Bool { enableSwipeToDismiss && presentation?.isClosing == false }

    /// The picture has reached its page.
    func didArrive() {
        awaitsArrival = false
        showControls()
        updateStatus()
        autoPlay()
    }

    func presentationHasEnded(_ ended: BrowserPresentation) {
        guard presentation === ended else { return }
        presentation = nil
        wasMapped = false
        hideGrid(slides: false)
        flight.cancel()
        deck.close()
        photos.forgetPhotos()
        listOriginals?.prefetcher.isResting = false
        updateStatus()
        // The end of a movement shows the controls, for a time that nobody waits for.
        hidingCall?.cancel()
    }
}
