import CGtk4
import WebImage

/// The questions of a browser's pages to it, and their news.
protocol BrowserPagesDelegate: AnyObject {
    /// Whether the grid covers the pages.
    var isGridVisible: Bool { get }
    /// The photos of the app.
    var photos: BrowserPhotos { get }
    /// The thumbnail of an index in whatever size, where it is on the screen or in memory.
    func thumbnail(at index: Int) -> PageThumbnail?
    /// Looks for the thumbnail of an index in the caches, and tells when it is found; nil where there is nothing to look for.
    func findThumbnail(at index: Int, _ found: @escaping @MainActor (PageThumbnail) -> Void) -> LoadOperation?
    /// Another page is in the middle of the view.
    func indexHasChanged(to index: Int)
    /// The load of a page in the deck has ended; the page shows that already.
    func loadingDidEnd(on page: PhotoPage)
    /// The text about a failure on a page without a picture.
    func message(for error: WebImageError, at index: Int) -> String
    /// A page or a picture begins to move, or rests.
    func movementHasChanged()
}

/// The pages of a browser, the picture that flies to one of them, and the signs and the video over the current one.
final class BrowserPages {
    /// The pages and what lies over one of them, which gets the pointer and the fingers.
    let widget: UnsafeMutablePointer<GtkWidget> = gtk_overlay_new()
    let stage: UnsafeMutablePointer<GtkWidget>
    let animator: any PageAnimator
    let deck: PageDeck
    let flight: BrowserFlight
    private(set) lazy var status = PageStatus(of: self)
    private(set) var video: BrowserVideo?
    weak var delegate: (any BrowserPagesDelegate)?
    /// The index at which the pages begin.
    var initialIndex = 0
    /// Whether the pages have been counted.
    private(set) var isPrepared = false
    private let content = PagesContent()
    private let paintable: PaintableHandle
    private let clock: any AnimationClock
    /// The turn that is on its way.
    private let turning: AnimationSlot
    private var noticeCall: (any CancellableTask)?
    /// Whether a page or a picture was moving when ``sceneHasChanged()`` last looked.
    private var wasMoving = false
    /// The time of a turn by a key or a button, in seconds.
    private static let turnDuration = 0.25

    init(_ animator: (any PageAnimator)?, clock: any AnimationClock) {
        stage = gtk_picture_new()
        self.animator = animator ?? FrameAnimator(stage)
        self.clock = clock
        flight = BrowserFlight(self.animator)
        deck = PageDeck(self.animator)
        turning = AnimationSlot(self.animator)
        paintable = PaintableHandle(content)
        content.pages = self
        flight.pages = self
        deck.owner = self
        gtk_picture_set_paintable(OpaquePointer(stage), paintable.pointer)
        gtk_picture_set_can_shrink(OpaquePointer(stage), 1)
        gtk_widget_set_focusable(stage, 1)
        gtk_overlay_set_child(OpaquePointer(widget), stage)
        gtk_overlay_add_overlay(OpaquePointer(widget), status.widget)
    }

    /// Ends all, before the widgets go.
    func end() {
        noticeCall?.cancel()
        flight.cancel()
        deck.close()
        video = nil
    }

    /// The index of the current photo, or the one at which the pages will begin.
    var index: Int { isPrepared ? deck.index : initialIndex }

    func prepare(count: Int) {
        isPrepared = true
        deck.setCount(count)
        deck.jump(to: initialIndex)
    }

    // MARK: Turning

    var isTurning: Bool { turning.isRunning }

    func turn(to index: Int, animated: Bool) {
        stopTurn()
        if index != deck.index { stopVideo() }
        guard animated else { return deck.jump(to: index) }
        let start = deck.position.position
        turning.run(
            Self.turnDuration, .easeOut,
            step: { [weak self] in self?.deck.move(to: start + (Double(index) - start) * $0) },
            ended: { [weak self] in self?.deck.jump(to: index) })
    }

    func stopTurn() { turning.stop() }

    /// Ends a turn at the nearest page.
    func settle() {
        stopTurn()
        deck.settle()
    }

    // MARK: Drawing

    /// Something else is to be drawn. The signs of a page go when it begins to move, and come when it rests.
    func sceneHasChanged() {
        paintable.invalidateContents()
        guard isMoving != wasMoving else { return }
        wasMoving = isMoving
        updateStatus()
        delegate?.movementHasChanged()
    }

    /// Whether a page or a picture is on its way. A browser on its way out has a picture in flight.
    var isMoving: Bool { !deck.position.isAtRest || flight.isRunning }

    /// Called during the draw, when the pages are laid out but nothing may be loaded.
    func resize(to size: PointSize) {
        let scale = Double(gtk_widget_get_scale_factor(stage))
        guard size != deck.view || scale != deck.scale else { return }
        deck.resize(to: size, scale: scale)
        FrameTicks.next(of: stage) { [weak self] in
            guard let self else { return }
            deck.arrange()
            deck.sharpen()
            updateStatus()
        }
    }

    /// The picture between its thumbnail and its page; nil for none.
    var flying: (pose: BrowserFlight.Pose, still: StillContent, quarterTurns: Int)? {
        guard let pose = flight.pose, let still = shownStill, let page = deck.current else { return nil }
        return (pose, still, page.still === still ? page.quarterTurns : 0)
    }

    /// The current picture of the page in view.
    private var shownStill: StillContent? {
        guard let page = deck.current else { return nil }
        return page.handoff.hidesPage ? page.helper?.still : page.still ?? page.helper?.still
    }

    /// The place of the picture on its page; nil while there is nothing to fly.
    var picturePlace: PictureFlight.Place? {
        guard let page = deck.current, shownStill != nil, !deck.view.isEmpty else { return nil }
        let frame = page.handoff.hidesPage ? page.helper?.frame : page.hasPicture ? page.zoom.frame : page.helper?.frame
        let view = PointRect(x: 0, y: 0, size: deck.view)
        guard let frame, let clip = frame.intersection(view) else { return nil }
        return PictureFlight.Place(frame: frame, clip: clip)
    }

    // MARK: Status

    /// The sign over the current page: the progress of its load, its complaint, or the button of a video.
    func updateStatus() {
        let hadFocus = status.widget.hasFocusInside
        status.content = statusContent
        if hadFocus, !status.widget.hasFocusInside { gtk_widget_grab_focus(stage) }
        stage.setAccessibleBusy(deck.current?.photo.isLoading ?? false)
    }

    private var statusContent: PageStatus.Content {
        // The sign stands in the middle of the view: beside a page that moves it would seem to belong to another one.
        guard let delegate, let page = deck.current, !delegate.isGridVisible, !isMoving else { return .none }
        if let video { return video.isResolving ? .loading(nil) : .none }
        let photo = page.photo
        if let error = photo.error, !page.hasPicture, !photo.isEmpty {
            return .failed(delegate.message(for: error, at: page.index))
        }
        if photo.isVideo { return .video }
        // A picture that only becomes sharper needs no sign.
        let isWaiting = photo.isLoading && (photo.underlyingImage?.metadata.isIncremental ?? true)
        return isWaiting ? .loading(photo.progress) : .none
    }

    /// Loads the current photo again after a failure.
    func retry() {
        deck.retry()
        updateStatus()
    }

    /// Says something that goes away by itself, unless it stays until the next notice.
    func show(notice text: String, stays: Bool = false) {
        status.show(notice: text)
        noticeCall?.cancel()
        noticeCall = stays ? nil : clock.call(at: clock.now + .seconds(3)) { [weak self] in self?.hideNotice() }
    }

    func hideNotice() { status.show(notice: nil) }

    // MARK: Videos

    /// Plays the video, or pauses it.
    func toggleVideo() {
        guard let video else { return playVideo() }
        video.toggle()
    }

    /// Plays the video of the current page over it; the end of the video, and a turn of the page, take it away.
    func playVideo() {
        guard case .video(let url, _)? = deck.current?.photo.content else { return }
        let index = deck.index
        video = BrowserVideo(
            url, over: widget, started: { [weak self] in self?.updateStatus() },
            ended: { [weak self] problem in
                guard let self, deck.index == index else { return }
                stopVideo()
                updateStatus()
                if let problem { show(notice: problem) }
            })
        updateStatus()
    }

    func stopVideo() { video = nil }
}
