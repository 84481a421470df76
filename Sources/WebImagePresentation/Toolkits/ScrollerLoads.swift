import WebImageCore
import WebImageLoading

/// The loads of the views in a scroller, or of any screen full of views. They begin when their views are seen or near, in this
/// order: the visible ones in reading order, then the nearest.
///
/// ```swift
/// let scroller = ScrollerLoads()
/// let views = (0..<40).map { _ in BitmapView(side: 100, in: scroller) }
/// ```
/// The toolkit sets ``visibleArea`` after each layout and each scroll, when the frames of the views are known. Loads of near
/// views wait until those of visible ones have ended, or have had a second. The load of a view that is scrolled far away waits
/// again, unless most of its bytes are there. A picture in memory shows at once. On the main actor only.
///
/// The scroller owns it, and gives it to the ``PicturePresenter`` of each view.
@MainActor
public final class ScrollerLoads {
    /// A load, from its request to its end.
    private struct Load {
        weak var surface: (any PictureSurface)?
        let isPatient: Bool
        let move: @MainActor (ViewVisibility) -> Void
        var visibility = ViewVisibility.far
        /// When its view has come into sight.
        var seenSince: Duration?
    }

    /// The visible part of the contents, in points; nil, the default, before the first layout: no load begins then.
    ///
    /// Scrolling is along one axis: the other coordinate stays.
    public var visibleArea: PointRect? {
        didSet {
            noteScroll(from: oldValue)
            look()
        }
    }

    /// The part around the visible one whose pictures are loaded, in visible lengths: by default two ahead, and one behind.
    public var window = LoadWindow()

    /// Whether lines are read from the right; false by default.
    public var isRightToLeft = false

    private let clock: any AnimationClock
    private var loads: [ViewLoadID: Load] = [:]
    private var speed = ScrollSpeed()
    private var direction: ScrollDirection?
    private var lookCount = 0
    /// The calls to come: a look soon, one when near loads may begin, and the next frame of a scroll.
    private var soon: (any CancellableTask)?
    private var later: (any CancellableTask)?
    private var frame: (any CancellableTask)?

    /// The time that a load of a visible view has before near ones begin.
    private static let patience = Duration.seconds(1)
    private static let frameTime = Duration.nanoseconds(16_666_667)

    /// Without views.
    ///
    /// - Parameter clock: The time of scrolling; nil for ``MainQueueClock``.
    public init(clock: (any AnimationClock)? = nil) { self.clock = clock ?? MainQueueClock.shared }

    isolated deinit {
        for call in [soon, later, frame] { call?.cancel() }
    }

    /// Whether a load may begin; if not, it is moved when it may.
    func admits(_ request: AdmissionRequest, for box: DecodeBox?, of surface: any PictureSurface) -> Bool {
        if let load = loads[request.id] { return load.visibility != .far }
        if request.isInMemory(box) { return true }
        loads[request.id] = Load(surface: surface, isPatient: request.isPatient, move: request.move)
        lookSoon()
        return false
    }

    func withdraw(_ id: ViewLoadID) {
        if loads.removeValue(forKey: id)?.seenSince != nil { lookSoon() }
    }

    // MARK: - Looking

    /// After all loads of this turn of the main loop have come, so that they begin in reading order.
    private func lookSoon() {
        guard soon == nil, visibleArea != nil, !loads.isEmpty else { return }
        soon = clock.call(at: clock.now) { [weak self] in
            self?.soon = nil
            self?.look()
        }
    }

    /// Visible views first: only then it is known whether near ones wait.
    private func look() {
        guard let visibleArea else { return }
        lookCount += 1
        let number = lookCount
        let standings = loads.compactMapValues { load in
            load.surface?.frameInScroller.map { standing(of: $0, in: visibleArea) }
        }
        let views = standings.map { (id: $0.key, standing: $0.value) }
        let order = LoadOrder.sort(views, isRightToLeft: isRightToLeft)
        let seen = order.filter { standings[$0]?.isVisible == true }
        let others = order.filter { standings[$0]?.isVisible == false }
        for id in others { loads[id]?.seenSince = nil }
        // A load that ends at once may let the app scroll, which looks anew: this look is out of date then.
        for id in seen where number == lookCount { move(id, standings[id], allowsNear: false) }
        let allowsNear = timeOfNear == nil
        for id in others where number == lookCount { move(id, standings[id], allowsNear: allowsNear) }
        lookWhenNearMayBegin()
    }

    /// A load that was moved before may have ended this one. One that has begun goes on while its view is near.
    private func move(_ id: ViewLoadID, _ standing: ViewStanding?, allowsNear: Bool) {
        guard let load = loads[id], let standing else { return }
        let isHeld = load.visibility == .far && load.isPatient && standing.isFlying
        let visibility =
            isHeld ? .far : standing.visibility(allowsNear: allowsNear || load.visibility != .far)
        guard visibility != load.visibility else { return }
        loads[id]?.visibility = visibility
        loads[id]?.seenSince = visibility == .seen ? clock.now : nil
        load.move(visibility)
    }

    /// When the last visible load has had its time; nil if near ones may begin.
    private var timeOfNear: Duration? {
        let last = loads.values.compactMap(\.seenSince).max().map { $0 + Self.patience }
        return last.flatMap { $0 > clock.now ? $0 : nil }
    }

    private func lookWhenNearMayBegin() {
        later?.cancel()
        later = timeOfNear.map { time in clock.call(at: time) { [weak self] in self?.look() } }
    }

    // MARK: - Scrolling

    private func standing(of frame: PointRect, in area: PointRect) -> ViewStanding {
        var standing = ViewStanding(corner: PointSize(width: frame.x, height: frame.y))
        let across = distance(frame.x, frame.size.width, from: area.x, area.size.width)
        let down = distance(frame.y, frame.size.height, from: area.y, area.size.height)
        let isAcross = abs(across) > abs(down)
        standing.move(by: isAcross ? across : down, within: window, scrolling: direction)
        standing.isFlying = speed.motion == .fast
        standing.isFlyingForwards = standing.isFlying && direction == .forwards
        return standing
    }

    /// In visible lengths; 0 for a view that can be seen.
    private func distance(_ start: Double, _ length: Double, from begin: Double, _ page: Double) -> Double {
        if start >= begin + page { return max(.leastNonzeroMagnitude, (start - begin - page) / max(1, page)) }
        // A view may have no length before its picture is loaded.
        let isBefore = length > 0 ? start + length <= begin : start < begin
        return isBefore ? min(-.leastNonzeroMagnitude, (start + length - begin) / max(1, page)) : 0
    }

    private func noteScroll(from former: PointRect?) {
        guard let visibleArea, let former, former != visibleArea else { return }
        let (before, now) = (former.pages(of: visibleArea.size), visibleArea.pages(of: visibleArea.size))
        if now != before { direction = now > before ? .forwards : .backwards }
        if speed.motion == .resting { noteSpeed(before) }
        noteSpeed(now)
        watchSpeed()
    }

    private func noteSpeed(_ position: Double) { speed.note(position, at: clock.now.microseconds) }

    /// Until the scroller rests.
    private func watchSpeed() {
        guard speed.motion != .resting, frame == nil else { return }
        frame = clock.call(at: clock.now + Self.frameTime) { [weak self] in
            guard let self else { return }
            frame = nil
            guard let visibleArea else { return }
            noteSpeed(visibleArea.pages(of: visibleArea.size))
            if speed.motion != .fast { look() }
            watchSpeed()
        }
    }
}

extension PointRect {
    /// The way from the beginning of the contents, in visible lengths.
    fileprivate func pages(of screen: PointSize) -> Double { x / max(1, screen.width) + y / max(1, screen.height) }
}
