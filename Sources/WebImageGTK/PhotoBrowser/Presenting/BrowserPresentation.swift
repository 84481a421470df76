import WebImage

/// A browser that was opened by `present(from:)` or `presentWindow(over:)`. It keeps the browser alive until that is
/// closed.
final class BrowserPresentation {
    /// The photo at the beginning, which the thumbnail belongs to.
    let firstIndex: Int
    /// The thumbnail that is hidden while its photo is elsewhere.
    private(set) var thumbnail: ThumbnailPlace?
    /// Whether the browser is on its way out.
    private(set) var isClosing = false
    private var aimed: ThumbnailPlace?
    private let seat: any BrowserSeat
    private var browser: PhotoBrowser?

    init(_ browser: PhotoBrowser, in seat: any BrowserSeat, from thumbnail: ThumbnailPlace?) {
        self.browser = browser
        self.seat = seat
        self.thumbnail = thumbnail
        aimed = thumbnail
        firstIndex = min(browser.currentIndex, max(0, browser.numberOfPhotos - 1))
    }

    /// Brings the browser onto the screen.
    ///
    /// - Parameter place: Where the thumbnail is; nil for none that can be seen.
    func begin(at place: PictureFlight.Place?) {
        guard let browser else { return }
        seat.take(browser.widget)
        guard let place, browser.flight.pagePlace() != nil else { return }
        thumbnail?.hide()
        browser.flight.arrive(from: place) { [weak browser] in browser?.didArrive() }
    }

    /// Hides the thumbnail of the current photo, shows the one hidden before, and returns the place to fly to; nil if no
    /// thumbnail is visible.
    func aim() -> PictureFlight.Place? {
        guard let browser else { return nil }
        let place = browser.thumbnailPlace()
        if place !== aimed { aimed?.show() }
        aimed = place
        // A picture that was turned does not fit its thumbnail.
        let isTurned = browser.deck.current.map { $0.quarterTurns != 0 } ?? false
        guard !isTurned, let target = place?.place(in: browser.stage) else {
            aimed?.show()
            return nil
        }
        aimed?.hide()
        return target
    }

    /// Closes the browser: its photo flies back to its thumbnail, or fades out.
    func close() {
        guard !isClosing, let browser else { return }
        isClosing = true
        browser.flight.leave(to: aim()) { [weak self] in self?.end() }
    }

    /// Ends a browser on its way out: no frames come for a widget that is not seen.
    func widgetWasHidden() {
        if isClosing { end() }
    }

    /// Takes the browser off the screen at once, and lets go of it.
    func end() {
        guard let browser else { return }
        self.browser = nil
        for place in [thumbnail, aimed] { place?.show() }
        (thumbnail, aimed) = (nil, nil)
        // Possible only while the widget is in its window.
        browser.fullScreen.leave()
        seat.giveBack(browser.widget)
        browser.presentationHasEnded(self)
    }
}
