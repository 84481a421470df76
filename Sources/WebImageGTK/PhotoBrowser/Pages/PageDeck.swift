import CGtk4
import WebImage

/// The pages of a browser: which photos are kept and loaded, and where they are.
final class PageDeck {
    private(set) var position = PagePosition(count: 0)
    private(set) var pages: [Int: PhotoPage] = [:]
    private(set) var view = PointSize(width: 0, height: 0)
    /// Device pixels per point.
    var scale = 1.0
    var rules = ZoomLimits.Rules() {
        didSet { for page in pages.values { page.rules = rules } }
    }
    var isRightToLeft = false
    var strategy = HandoffStrategy.prefetchedOriginal
    /// Of the handoff. Tests replace it.
    var animator: any PageAnimator
    weak var owner: BrowserPages?
    /// The time of pictures that move; nil for that of the main queue. Tests have their own.
    var clock: (any AnimationClock)?

    private var lastIndex: Int?

    init(_ animator: any PageAnimator) { self.animator = animator }

    /// Something else is to be drawn.
    func changed() { owner?.sceneHasChanged() }

    var index: Int { position.index }
    var current: PhotoPage? { pages[index] }

    // MARK: Places

    var visiblePages: [PhotoPage] { position.visible.compactMap { pages[$0] } }

    /// The left edge of a page in the view, in points.
    func x(of page: PhotoPage) -> Double {
        let x = position.x(of: page.index, width: view.width)
        return isRightToLeft ? -x : x
    }

    func resize(to size: PointSize, scale: Double) {
        guard size != view || scale != self.scale else { return }
        view = size
        self.scale = scale
        for page in pages.values { page.resize(to: size) }
    }

    // MARK: Turning

    func setCount(_ count: Int) {
        position.setCount(count)
        arrange()
    }

    func jump(to index: Int) {
        position.jump(to: index)
        arrange()
        changed()
    }

    func move(to position: Double) {
        self.position.move(to: position)
        arrange()
        changed()
    }

    /// Turns to the nearest page at once.
    func settle() {
        if !position.isAtRest { jump(to: index) }
    }

    // MARK: Loading

    /// Asks for all photos again; a photo that stays the current one keeps what it has loaded.
    func reload(count: Int, at index: Int) {
        let former = current?.photo
        release({ _ in true }, keeping: former)
        lastIndex = nil
        position = PagePosition(count: count, index: index)
        arrange()
        if let former, !former.isObserved { former.unloadUnderlyingImage() }
        changed()
    }

    /// Asks for all photos but the current one again, which stays as it is, at another index.
    func renumber(count: Int, to index: Int) {
        let page = current
        release { $0 != self.index }
        pages = [:]
        position = PagePosition(count: count, index: index)
        if let page, position.index == index {
            page.index = index
            pages[index] = page
            lastIndex = index
        }
        arrange()
        changed()
    }

    /// Keeps the pages around the current one, and loads them: the current one first.
    func arrange() {
        guard isOpen else { return }
        let window = PhotoWindow(around: index, of: position.count)
        // A photo that stands at two indices keeps its picture when one of its pages comes and the other goes.
        for index in window.kept where pages[index] == nil { add(index) }
        release { !window.kept.contains($0) }
        // A page that is turned away does not finish its handoff later.
        for page in pages.values where page !== current {
            if page.handoff.phase.isAnimating { page.advanceHandoff(.cancelled) }
            // An original that waited for the end of a flight is shown without an animation.
            if page.hasPicture, page.photo.isComplete { page.advanceHandoff(.loaded(.silent)) }
        }
        let visible = position.visible
        for page in pages.values where !visible.contains(page.index) { page.tiles?.rest() }
        load()
        guard position.count > 0, lastIndex != index else { return }
        lastIndex = index
        retryIfItMayHelp()
        sharpen()
        owner?.delegate?.indexHasChanged(to: index)
    }

    /// Loads the current photo, and when that has ended its neighbours.
    private func load() {
        guard view.width > 0, let current else { return }
        // A thumbnail may have come since the page was made.
        if current.photo.error == nil { cover(current) }
        for page in pages.values { page.setPlaying(page === current && isPlaying) }
        load(current)
        guard !current.photo.isLoading else { return }
        for index in PhotoWindow(around: index, of: position.count).adjacent {
            if let page = pages[index] { load(page) }
        }
    }

    private func load(_ page: PhotoPage) {
        guard page.photo.error == nil else { return }
        // A complete picture becomes sharper by ``sharpen()`` only, when it is seen.
        if !page.photo.isComplete { page.photo.load(covering: pixels) }
        show(page, isAtHand: true)
    }

    /// A photo whose failure may have passed is tried again when the person comes back to it.
    private func retryIfItMayHelp() {
        guard let current, !current.hasPicture, current.photo.error?.kind == .transient else { return }
        current.told = nil
        current.photo.load(covering: pixels)
    }

    /// Loads the current photo again after a failure. If the data source threw an error, asks the data source again.
    func retry() {
        guard let current else { return }
        if current.photo.isStandIn {
            release { $0 == index }
            arrange()
            return changed()
        }
        current.told = nil
        current.photo.load(covering: pixels)
        cover(current)
        changed()
    }

    /// The size that pictures are decoded for.
    var pixels: PixelSize { view.pixels(at: scale) }

    /// Decodes the current picture sharper where it is drawn larger than it is.
    func sharpen() {
        guard let current, current.photo.isComplete, current.photo.error?.kind != .permanent,
            let size = current.photo.originalPixelSize
        else { return }
        let image = current.photo.underlyingImage
        let factor = current.zoom.scale * scale / (image?.scale ?? 1)
        // Only a drawing gets sharper beyond its own size.
        let limited = image?.metadata.isVector == true ? factor : min(1, factor)
        let wanted = size.points().pixels(at: limited)
        guard !current.photo.isSharp(for: wanted) else { return }
        if current.photo.needsTiles || wanted.area > wholeLimit, current.tileOpening.isPossible {
            return current.tileOpening.open()
        }
        let most = (Double(wholeLimit) / Double(size.area)).squareRoot()
        current.photo.load(covering: size.points().pixels(at: min(limited, most)))
    }

    /// Pictures that would need more pixels than this are decoded in tiles; those that cannot are decoded to as many.
    var wholeLimit = 24_000_000

    var isPlaying = false {
        didSet { if isPlaying != oldValue { load() } }
    }

    private func add(_ index: Int) {
        guard let photo = owner?.delegate?.photos.pagePhoto(at: index) else { return }
        let page = PhotoPage(index: index, photo: photo, animator: animator)
        page.rules = rules
        page.resize(to: view)
        page.clock = clock
        page.deck = self
        pages[index] = page
        // An original in memory needs no thumbnail before it.
        if index == self.index, view.width > 0 { photo.load(covering: pixels) }
        photo.observe(as: page) { [weak self, weak page] update in
            if let self, let page { receive(update, for: page) }
        }
        show(page)
        cover(page)
    }

    /// Shows the thumbnail until the original is there.
    private func cover(_ page: PhotoPage) {
        guard isUncovered(page) else { return }
        if let thumbnail = owner?.delegate?.thumbnail(at: page.index) { return page.cover(by: thumbnail) }
        guard page.search == nil else { return }
        page.search = owner?.delegate?.findThumbnail(at: page.index) { [weak self, weak page] thumbnail in
            guard let self, let page, isUncovered(page), page.photo.error == nil else { return }
            page.cover(by: thumbnail)
        }
    }

    /// Whether the page is in want of a thumbnail.
    private func isUncovered(_ page: PhotoPage) -> Bool {
        strategy.showsThumbnail && !page.hasPicture && page.helper == nil && pages[page.index] === page
    }

    /// The thumbnail of an index has come onto the screen.
    func thumbnailHasCome(at index: Int) {
        if let page = pages[index], page.photo.error == nil { cover(page) }
    }

    /// - Parameter isAtHand: Whether the picture was in memory when it was asked for: it then replaces the thumbnail
    ///   without an animation.
    private func show(_ page: PhotoPage, isAtHand: Bool = false) {
        guard let image = page.photo.underlyingImage, page.still?.image !== image else { return }
        page.displayImage()
        // The thumbnail is the better picture until all of the original is there.
        guard page.handoff.phase == .covered, page.photo.isComplete, let flight = owner?.flight else { return }
        let isSeen = page === current && position.isAtRest && !isAtHand
        // An original that comes at the beginning of a flight, as from the disk cache, replaces the thumbnail in flight.
        let swap = isSeen && !flight.isBeginning ? page.swap : .silent
        // A swap that is seen waits for the end of the flight.
        if swap == .silent || !flight.isRunning { page.advanceHandoff(.loaded(swap)) }
    }

    /// The flight to the current page has ended: its original may have come meanwhile.
    func finishHandoff() {
        guard let current, current.photo.isComplete, current.handoff.phase == .covered else { return }
        current.advanceHandoff(.loaded(current.swap))
    }

    private func receive(_ update: Photo.Update, for page: PhotoPage) {
        guard pages[page.index] === page else { return }
        switch update {
        case .progress: if page === current { owner?.updateStatus() }
        case .partial: show(page)
        case .loadingDidEnd: end(page)
        }
    }

    private func end(_ page: PhotoPage) {
        show(page)
        // A photo whose load fails drops its partial picture.
        if page.photo.underlyingImage == nil { page.clear() }
        if !page.hasPicture { page.advanceHandoff(.failed) }
        load()
        owner?.delegate?.loadingDidEnd(on: page)
        changed()
    }

    /// Memory is short: only what is in view stays, until the next turn.
    func relieve() {
        let visible = position.visible
        release { !visible.contains($0) }
    }

    /// Whether pages are kept and photos loaded.
    private(set) var isOpen = false

    /// Begins to load, at the index that is set.
    func open() {
        guard !isOpen else { return }
        isOpen = true
        lastIndex = nil
        arrange()
    }

    /// Lets go of everything.
    func close() {
        isOpen = false
        release { _ in true }
    }

    private func release(_ isReleased: (Int) -> Bool, keeping kept: Photo? = nil) {
        for (index, page) in pages where isReleased(index) {
            pages[index] = nil
            page.advanceHandoff(.cancelled)
            page.deck = nil
            page.setPlaying(false)
            page.search = nil
            page.tileOpening.close()
            page.photo.stopObserving(as: page)
            if page.photo !== kept, !page.photo.isObserved { page.photo.unloadUnderlyingImage() }
        }
    }
}
