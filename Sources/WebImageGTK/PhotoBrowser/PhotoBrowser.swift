import CGtk4
import Dispatch
import WebImage

/// Shows photos one at a time, large: pages to swipe, zoom, captions, controls that hide, and a grid of all of them.
///
/// ```swift
/// let browser = PhotoBrowser(photos: addresses.map { Photo(url: $0) })
/// browser.setCurrentPhotoIndex(3)
/// browser.present(from: PictureView(picture))
/// ```
/// Its ``widget`` can also be put into the app's own layout. A browser that was presented lives until it is closed; any
/// other one must be kept by the app. On the main thread only.
@MainActor
public final class PhotoBrowser {
    /// A `GtkOverlay` with everything; retained by the browser.
    public let widget: UnsafeMutablePointer<GtkWidget>

    /// Hears of what happens; not retained.
    public weak var delegate: (any PhotoBrowserDelegate)? {
        didSet {
            ownCaption = nil
            updateControls()
            grid?.updateSelection()
        }
    }
    /// Brings the photos, which are asked for anew when this is set; not retained, except for that of ``init(photos:)``.
    public weak var dataSource: (any PhotoBrowserDataSource)? {
        didSet { reloadData() }
    }
    private let list: PhotoList?

    // MARK: Settings

    /// Whether a photo whose proportions are nearly those of the view covers it at first; true by default.
    public var zoomPhotosToFill = true {
        didSet { deck.rules.zoomsPhotosToFill = zoomPhotosToFill }
    }
    /// The longer side by the shorter one from which a photo is long: high ones are read from their top, as wide as the
    /// view. ``WebImage/LongPicture/defaultRatio`` by default.
    public var longPictureRatio = LongPicture.defaultRatio {
        didSet {
            deck.rules.longPictureRatio = longPictureRatio
            flight.longPictureRatio = longPictureRatio
        }
    }
    /// The content of a page while its original loads and the thumbnail is there already;
    /// ``WebImage/HandoffStrategy/prefetchedOriginal`` by default.
    public var handoffStrategy = HandoffStrategy.prefetchedOriginal {
        didSet {
            deck.strategy = handoffStrategy
            listOriginals = nil
        }
    }
    /// Whether there are buttons for the next and the previous photo; false by default.
    public var displayNavArrows = false { didSet { updateControls() } }
    /// Whether there is a button for actions; true by default.
    public var displayActionButton = true { didSet { updateControls() } }
    /// Whether photos can be selected, on their page and in the grid; false by default.
    public var displaySelectionButtons = false {
        didSet {
            updateControls()
            grid?.updateSelection()
        }
    }
    /// Whether the controls never hide; false by default.
    public var alwaysShowControls = false { didSet { updateControls() } }
    /// Whether there is a grid, where the data source has thumbnails; true by default.
    public var enableGrid = true { didSet { updateControls() } }
    /// Whether a swipe up or down closes a browser that was presented; true by default.
    public var enableSwipeToDismiss = true
    /// Whether the browser opens with its grid, which ``enableGrid`` then does not prevent; false by default.
    public var startOnGrid = false
    /// Whether a video on the first page begins by itself, once; false by default.
    public var autoPlayOnAppear = false
    /// The time until the controls hide; nil for never. 5 seconds by default.
    public var delayToHideElements: Duration? = .seconds(5)
    /// An icon of the desktop's theme for selected photos; nil, the default, for the browser's own.
    public var customImageSelectedIconName: String? { didSet { updateControls() } }
    /// The same, for the small ones of the grid.
    public var customImageSelectedSmallIconName: String? { didSet { grid?.updateSelection() } }

    // MARK: Parts

    let deck: PageDeck
    let flight: BrowserFlight
    let content = PagesContent()
    /// The pages and what lies over one of them, which gets the pointer and the fingers.
    let pages: UnsafeMutablePointer<GtkWidget> = gtk_overlay_new()
    let stage: UnsafeMutablePointer<GtkWidget>
    private let paintable: PaintableHandle
    private(set) lazy var controls = BrowserControls { [weak self] in self?.perform($0) }
    private(set) lazy var status = PageStatus(
        retry: { [weak self] in self?.retry() }, play: { [weak self] in self?.playVideo() })
    var grid: PhotoGrid?
    /// Holds the grid, and nothing while that is hidden.
    let gridHolder: UnsafeMutablePointer<GtkWidget> = gtk_stack_new()
    let noGrid = UnsafeMutablePointer<GtkWidget>.box(GTK_ORIENTATION_VERTICAL)
    var input: BrowserInput?
    var presentation: BrowserPresentation?
    var video: BrowserVideo?
    var visibility = ControlsVisibility()
    var hidingCall: (any CancellableTask)?
    var noticeCall: (any CancellableTask)?
    var menu: BrowserMenu?
    var hasAutoPlayed = false
    /// Whether the picture will fly to its page.
    var awaitsArrival = false
    let fullScreen: BrowserFullScreen
    /// Whether the browser has made the window full-screen.
    var hasFilledScreen: Bool { fullScreen.isOn }
    /// The delegate's caption of an index; nil while it was not asked.
    var ownCaption: (index: Int, widget: UnsafeMutablePointer<GtkWidget>?)?
    /// Loads of originals for a list of the app's own, at the size of a page.
    var listOriginals: (pixels: PixelSize, prefetcher: OriginalPrefetcher)?
    /// The list of the app's own that is followed.
    var listWatch: VisibleItemsWatch?
    var wasMapped = false
    private var memory: MemoryPressureListener?
    /// The time; tests have their own.
    let clock: any AnimationClock
    /// The turn that is on its way.
    let turning: AnimationSlot
    private(set) lazy var photos = BrowserPhotos(self)

    /// A browser of photos that do not change.
    public convenience init(photos: [Photo]) {
        self.init(list: PhotoList(photos), dataSource: nil)
    }

    /// A browser of photos that a data source brings when they are needed.
    public convenience init(dataSource: any PhotoBrowserDataSource) {
        self.init(list: nil, dataSource: dataSource)
    }

    init(
        list: PhotoList?, dataSource: (any PhotoBrowserDataSource)?, clock: any AnimationClock = MainQueueClock.shared,
        animator: (any PageAnimator)? = nil
    ) {
        self.list = list
        self.dataSource = list ?? dataSource
        self.clock = clock
        widget = gtk_overlay_new()
        stage = gtk_picture_new()
        g_object_ref_sink(widget)
        fullScreen = BrowserFullScreen(of: widget)
        let animator = animator ?? FrameAnimator(stage)
        flight = BrowserFlight(animator)
        deck = PageDeck(animator, flight: flight)
        turning = AnimationSlot(animator)
        paintable = PaintableHandle(content)
        build()
        connectParts()
        input = BrowserInput(self, animator)
        memory = MemoryPressureListener { [weak self] _ in
            DispatchQueue.main.async {
                MainActor.assumeIsolated { self?.deck.relieve() }
                MemoryPressure.shared.memoryWasFreed()
            }
        }
    }

    /// The widget lives until here: GTK disposes of no child that is referenced.
    isolated deinit {
        // Signals of a widget that goes must not reach the browser any more.
        input = nil
        grid = nil
        hidingCall?.cancel()
        noticeCall?.cancel()
        menu = nil
        flight.cancel()
        deck.close()
        listOriginals = nil
        video = nil
        g_object_unref(widget)
    }

    private func build() {
        gtk_picture_set_paintable(OpaquePointer(stage), paintable.pointer)
        gtk_picture_set_can_shrink(OpaquePointer(stage), 1)
        for part in [stage, pages, widget] {
            gtk_widget_set_hexpand(part, 1)
            gtk_widget_set_vexpand(part, 1)
        }
        gtk_widget_set_focusable(stage, 1)
        gtk_widget_add_css_class(widget, "photo-browser")
        BrowserStyleSheet.serve(widget)
        gtk_overlay_set_child(OpaquePointer(pages), stage)
        gtk_overlay_add_overlay(OpaquePointer(pages), status.widget)
        gtk_overlay_set_child(OpaquePointer(widget), pages)
        gtk_stack_set_transition_duration(OpaquePointer(gridHolder), 300)
        gtk_stack_add_child(OpaquePointer(gridHolder), noGrid)
        gtk_widget_set_can_target(gridHolder, 0)
        for part in [gridHolder, controls.bottom, controls.top] {
            gtk_overlay_add_overlay(OpaquePointer(widget), part)
        }
    }

    /// Whether a page or a picture was moving when ``followMovement()`` last looked.
    var wasMoving = false

    private func connectParts() {
        let changed = { [weak self] in
            guard let self else { return }
            paintable.invalidateContents()
            followMovement()
        }
        content.scene = { [weak self] size in self?.scene(in: size) ?? BrowserScene() }
        deck.changed = changed
        controls.giveFocusBack = { [weak self] in self?.focusPages() }
        controls.pressed = { [weak self] in
            if let self, menu == nil { focusPages() }
        }
        flight.changed = changed
        flight.landed = { [weak self] in self?.deck.finishHandoff() }
        flight.pagePlace = { [weak self] in self?.pagePlace }
        flight.lifted = { [weak self] in _ = self?.presentation?.aim() }
        deck.photo = { [weak self] in self?.photos.pagePhoto(at: $0) }
        deck.thumbnail = { [weak self] in self?.thumbnail(at: $0) }
        deck.findThumbnail = { [weak self] in self?.findThumbnail(at: $0, $1) }
        deck.indexChanged = { [weak self] in self?.indexHasChanged(to: $0) }
        deck.loadingDidEnd = { [weak self] in self?.loadingDidEnd(on: $0) }
        deck.progressChanged = { [weak self] in self?.updateStatus() }
        connect(UnsafeMutableRawPointer(widget), "map") { [weak self] in self?.didAppear() }
        connect(UnsafeMutableRawPointer(widget), "unmap") { [weak self] in self?.didDisappear() }
        connect(UnsafeMutableRawPointer(widget), "notify::root") { [weak self] in self?.rootHasChanged() }
    }

    // MARK: Photos

    /// The number of photos, asked once until ``reloadData()``.
    public var numberOfPhotos: Int { photos.count }

    /// The index of the current photo; 0 without photos. One that was set before the number of photos is known is that of
    /// the last photo at most as soon as it is.
    public var currentIndex: Int { isPrepared ? deck.index : photos.clamped(initialIndex) }
    private var initialIndex = 0
    /// Whether the pages have been counted.
    private(set) var isPrepared = false

    /// The current photo; nil without photos, and before the browser is visible.
    public var currentPhoto: Photo? { deck.current?.photo }

    /// Asks for the number of photos and for the photos again. The index stays, or becomes that of the last one; a turn or
    /// a drag ends.
    public func reloadData() { reloadAll(at: currentIndex) }

    /// The same, at another index.
    package func reloadData(at index: Int) {
        if !isPrepared { initialIndex = index }
        reloadAll(at: index)
    }

    private func reloadAll(at index: Int) {
        input?.cancelDrag()
        stopTurn()
        video = nil
        reload { deck.reload(count: numberOfPhotos, at: index) }
    }

    /// Asks for the number of photos and for the photos again, after some before and behind the current one have come or gone:
    /// that one stays as it is, at its new index. For pages at rest.
    package func reloadData(around index: Int) {
        guard isPrepared else { return reloadData(at: index) }
        reload { deck.renumber(count: numberOfPhotos, to: index) }
    }

    private func reload(_ body: () -> Void) {
        photos.forgetAll()
        listOriginals = nil
        listWatch?.look()
        ownCaption = nil
        // Before the pages load theirs, which may be the same ones.
        grid?.letGo()
        body()
        grid?.reload()
        updateStatus()
        updateControls()
    }

    /// Whether no page and no picture is on its way.
    package var isAtRest: Bool { deck.position.isAtRest && !flight.isRunning && !turning.isRunning }

    /// The pixels that a page has.
    package var pagePixels: PixelSize { deck.pixels }

    /// Shows a photo at once, also before the browser is visible; the nearest one where the index is out of range.
    public func setCurrentPhotoIndex(_ index: Int) {
        guard isPrepared else { return initialIndex = max(0, index) }
        input?.cancelDrag(settles: false)
        stopTurn()
        deck.jump(to: index)
        grid?.showCurrent()
    }

    /// Turns to the next photo, unless this is the last one.
    public func showNextPhoto(animated: Bool) { turn(to: currentIndex + 1, animated: animated) }

    /// Turns to the previous photo, unless this is the first one.
    public func showPreviousPhoto(animated: Bool) { turn(to: currentIndex - 1, animated: animated) }

    /// Asks for the photos, if that was not done yet.
    func prepare() {
        guard !isPrepared else { return }
        isPrepared = true
        deck.setCount(numberOfPhotos)
        deck.jump(to: initialIndex)
        updateControls()
        updateStatus()
    }

    /// The place of the current thumbnail, from the data source or from the browser itself.
    func thumbnailPlace() -> ThumbnailPlace? {
        if let view = dataSource?.photoBrowser(self, thumbnailViewAt: deck.index) { return ThumbnailPlace(view) }
        guard let presentation, presentation.firstIndex == deck.index else { return nil }
        return presentation.thumbnail
    }
}
