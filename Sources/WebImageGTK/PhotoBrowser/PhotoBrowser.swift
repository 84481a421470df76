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
            panels.grid?.updateSelection()
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
        didSet { pages.deck.rules.zoomsPhotosToFill = zoomPhotosToFill }
    }
    /// The longer side by the shorter one from which a photo is long: high ones are read from their top, as wide as the
    /// view. ``WebImage/LongPicture/defaultRatio`` by default.
    public var longPictureRatio = LongPicture.defaultRatio {
        didSet {
            pages.deck.rules.longPictureRatio = longPictureRatio
            pages.flight.longPictureRatio = longPictureRatio
        }
    }
    /// The content of a page while its original loads and the thumbnail is there already;
    /// ``WebImage/HandoffStrategy/prefetchedOriginal`` by default.
    public var handoffStrategy = HandoffStrategy.prefetchedOriginal {
        didSet {
            pages.deck.strategy = handoffStrategy
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
            panels.grid?.updateSelection()
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
    public var customImageSelectedSmallIconName: String? { didSet { panels.grid?.updateSelection() } }

    // MARK: Parts

    let pages: BrowserPages
    let screen: BrowserScreen
    let panels: BrowserPanels
    var input: BrowserInput?
    private(set) lazy var photos = BrowserPhotos(self)
    /// The delegate's caption of an index; nil while it was not asked.
    var ownCaption: (index: Int, widget: UnsafeMutablePointer<GtkWidget>?)?
    /// Loads of originals for a list of the app's own, at the size of a page.
    var listOriginals: (pixels: PixelSize, prefetcher: OriginalPrefetcher)?
    /// The list of the app's own that is followed.
    var listWatch: VisibleItemsWatch?
    var hasAutoPlayed = false
    private var memory: MemoryPressureListener?
    /// The time; tests have their own.
    let clock: any AnimationClock

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
        g_object_ref_sink(widget)
        pages = BrowserPages(animator, clock: clock)
        screen = BrowserScreen(of: widget, pages)
        panels = BrowserPanels(clock: clock)
        pages.delegate = self
        panels.delegate = self
        build()
        input = BrowserInput(self)
        memory = MemoryPressureListener { [weak self] _ in
            DispatchQueue.main.async {
                MainActor.assumeIsolated { self?.pages.deck.relieve() }
                MemoryPressure.shared.memoryWasFreed()
            }
        }
    }

    /// The widget lives until here: GTK disposes of no child that is referenced.
    isolated deinit {
        // Signals of a widget that goes must not reach the browser any more.
        input = nil
        panels.end()
        pages.end()
        listOriginals = nil
        g_object_unref(widget)
    }

    private func build() {
        for part in [pages.stage, pages.widget, widget] {
            gtk_widget_set_hexpand(part, 1)
            gtk_widget_set_vexpand(part, 1)
        }
        gtk_widget_add_css_class(widget, "photo-browser")
        BrowserStyleSheet.serve(widget)
        gtk_overlay_set_child(OpaquePointer(widget), pages.widget)
        for part in [panels.gridHolder, panels.controls.bottom, panels.controls.top] {
            gtk_overlay_add_overlay(OpaquePointer(widget), part)
        }
        connect(UnsafeMutableRawPointer(widget), "map") { [weak self] in self?.didAppear() }
        connect(UnsafeMutableRawPointer(widget), "unmap") { [weak self] in self?.didDisappear() }
        connect(UnsafeMutableRawPointer(widget), "notify::root") { [weak self] in self?.rootHasChanged() }
    }

    // MARK: Photos

    /// The number of photos, asked once until ``reloadData()``.
    public var numberOfPhotos: Int { photos.count }

    /// The index of the current photo; 0 without photos. One that was set before the number of photos is known is that of
    /// the last photo at most as soon as it is.
    public var currentIndex: Int { photos.clamped(pages.index) }

    /// The current photo; nil without photos, and before the browser is visible.
    public var currentPhoto: Photo? { pages.deck.current?.photo }

    /// Asks for the number of photos and for the photos again. The index stays, or becomes that of the last one; a turn or
    /// a drag ends.
    public func reloadData() { reloadAll(at: currentIndex) }

    /// The same, at another index.
    package func reloadData(at index: Int) {
        if !pages.isPrepared { pages.initialIndex = index }
        reloadAll(at: index)
    }

    private func reloadAll(at index: Int) {
        input?.cancelDrag()
        pages.stopTurn()
        pages.stopVideo()
        reload { pages.deck.reload(count: numberOfPhotos, at: index) }
    }

    /// Asks for the number of photos and for the photos again, after some before and behind the current one have come or gone:
    /// that one stays as it is, at its new index. For pages at rest.
    package func reloadData(around index: Int) {
        guard pages.isPrepared else { return reloadData(at: index) }
        reload { pages.deck.renumber(count: numberOfPhotos, to: index) }
    }

    private func reload(_ body: () -> Void) {
        photos.forgetAll()
        listOriginals = nil
        listWatch?.look()
        ownCaption = nil
        // Before the pages load theirs, which may be the same ones.
        panels.grid?.letGo()
        body()
        panels.grid?.reload()
        pages.updateStatus()
        updateControls()
    }

    /// Shows a photo at once, also before the browser is visible; the nearest one where the index is out of range.
    public func setCurrentPhotoIndex(_ index: Int) {
        guard pages.isPrepared else { return pages.initialIndex = max(0, index) }
        input?.cancelDrag(settles: false)
        pages.stopTurn()
        pages.deck.jump(to: index)
        panels.grid?.showCurrent()
    }

    /// Turns to the next photo, unless this is the last one.
    public func showNextPhoto(animated: Bool) { turn(to: currentIndex + 1, animated: animated) }

    /// Turns to the previous photo, unless this is the first one.
    public func showPreviousPhoto(animated: Bool) { turn(to: currentIndex - 1, animated: animated) }

    func turn(to index: Int, animated: Bool) {
        guard index >= 0, index < numberOfPhotos, pages.deck.current?.inputIsHeld != true else { return }
        guard pages.isPrepared else { return setCurrentPhotoIndex(index) }
        input?.cancelDrag(settles: false)
        pages.turn(to: index, animated: animated)
    }

    /// Asks for the photos, if that was not done yet.
    func prepare() {
        guard !pages.isPrepared else { return }
        pages.prepare(count: numberOfPhotos)
        updateControls()
        pages.updateStatus()
    }
}

/// For measurements, and for apps of this package.
extension PhotoBrowser {
    /// Whether no page and no picture is on its way.
    package var isAtRest: Bool { !pages.isMoving && !pages.isTurning }

    /// The pixels that a page has.
    package var pagePixels: PixelSize { pages.deck.pixels }

    /// Moves the current picture as a person does.
    ///
    /// - Parameters:
    ///   - scale: Points per point of the picture.
    ///   - x: The point of the view that stays in its place.
    package func zoom(to scale: Double, atX x: Double, y: Double) {
        guard let page = pages.deck.current, page.hasPicture else { return }
        var goal = page.zoom
        goal.zoom(to: scale, atX: x, y: y)
        page.setZoom(goal)
        pages.deck.sharpen()
    }

    package func pan(byX x: Double, y: Double) {
        guard let page = pages.deck.current else { return }
        var goal = page.zoom
        goal.pan(byX: x, y: y)
        page.setZoom(goal)
    }
}
