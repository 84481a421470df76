import CGtk4
import WebImage

/// The questions of a presented browser's screen to it, and its news.
protocol BrowserScreenDelegate: AnyObject {
    /// The view of the app that shows the thumbnail of an index; nil for none.
    func thumbnailView(at index: Int) -> (any WidgetView)?
    /// The picture has reached its page.
    func didArrive()
    /// The browser is off the screen.
    func presentationHasEnded()
}

/// The place of a browser on the screen: where it is presented, the thumbnail that its picture comes from and goes to, and
/// whether it fills the screen.
final class BrowserScreen {
    /// Keeps the browser alive until it is closed.
    private struct Presentation {
        let browser: any BrowserScreenDelegate
        /// nil once the browser has left it.
        var seat: (any BrowserSeat)?
        let firstIndex: Int
        /// The thumbnail that is hidden while its photo is elsewhere.
        let thumbnail: ThumbnailPlace?
        var aimed: ThumbnailPlace?
        var isClosing = false
    }

    let fullScreen: BrowserFullScreen
    /// Whether the widget was on the screen since the browser was opened.
    var wasMapped = false
    /// Whether the picture will fly to its page.
    private(set) var awaitsArrival = false
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let pages: BrowserPages
    private var presentation: Presentation?

    /// - Parameter widget: The browser's.
    init(of widget: UnsafeMutablePointer<GtkWidget>, _ pages: BrowserPages) {
        self.widget = widget
        self.pages = pages
        fullScreen = BrowserFullScreen(of: widget)
    }

    /// Whether the browser was opened by `present(from:)` or `presentWindow(over:)`.
    var isTaken: Bool { presentation != nil }
    /// Whether the browser is on its way out.
    var isClosing: Bool { presentation?.isClosing ?? false }

    /// The thumbnail that the browser was presented from, where it is that of an index.
    func thumbnail(at index: Int) -> ThumbnailPlace? {
        presentation.flatMap { $0.firstIndex == index ? $0.thumbnail : nil }
    }

    /// The browser will be shown in `seat`, at a photo that `thumbnail` belongs to.
    func take(
        _ seat: any BrowserSeat, for browser: any BrowserScreenDelegate, at index: Int, from thumbnail: ThumbnailPlace?
    ) {
        presentation = Presentation(
            browser: browser, seat: seat, firstIndex: index, thumbnail: thumbnail, aimed: thumbnail)
    }

    /// Brings the browser onto the screen.
    ///
    /// - Parameter place: Where the thumbnail is; nil for none that can be seen.
    func begin(at place: PictureFlight.Place?) {
        guard let presentation else { return }
        awaitsArrival = place != nil
        presentation.seat?.take(widget)
        if let place, pages.picturePlace != nil {
            presentation.thumbnail?.hide()
            pages.flight.arrive(from: place) { [weak self] in self?.arrive() }
        }
        if !pages.flight.isRunning { awaitsArrival = false }
    }

    private func arrive() {
        awaitsArrival = false
        presentation?.browser.didArrive()
    }

    /// The picture follows a finger.
    func drag(_ drag: DismissDrag) {
        let isFirst = !pages.flight.isDragging
        pages.flight.drag(drag)
        if isFirst { _ = aim() }
    }

    /// Hides the thumbnail of the current photo, shows the one hidden before, and returns the place to fly to; nil if no
    /// thumbnail is visible.
    private func aim() -> PictureFlight.Place? {
        guard let presentation else { return nil }
        let index = pages.deck.index
        let place = presentation.browser.thumbnailView(at: index).map { ThumbnailPlace($0) } ?? thumbnail(at: index)
        if place !== presentation.aimed { presentation.aimed?.show() }
        self.presentation?.aimed = place
        // A picture that was turned does not fit its thumbnail.
        let isTurned = pages.deck.current.map { $0.quarterTurns != 0 } ?? false
        guard !isTurned, let target = place?.place(in: pages.stage) else {
            place?.show()
            return nil
        }
        place?.hide()
        return target
    }

    /// Closes the browser: its photo flies back to its thumbnail, or fades out.
    func close() {
        guard presentation?.isClosing == false else { return }
        presentation?.isClosing = true
        pages.flight.leave(to: aim()) { [weak self] in self?.end() }
    }

    /// The widget is not seen any more, so that no frames come: a browser on its way out ends.
    func widgetWasHidden() {
        awaitsArrival = false
        if isClosing { end() }
    }

    /// The widget is in another window, or in none.
    func rootHasChanged() {
        fullScreen.watchWindow()
        if gtk_widget_get_root(widget) == nil { end() }
    }

    /// Takes the browser off the screen at once, and lets go of it.
    func end() {
        guard let ended = presentation, let seat = presentation?.seat.take() else { return }
        for place in [ended.thumbnail, ended.aimed] { place?.show() }
        // Possible only while the widget is in its window.
        fullScreen.leave()
        seat.giveBack(widget)
        presentation = nil
        wasMapped = false
        ended.browser.presentationHasEnded()
    }
}
