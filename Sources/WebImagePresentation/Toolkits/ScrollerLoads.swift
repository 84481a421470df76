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
    private struct Load: TurnTaking {
        let id: ViewLoadID
        var turn: ViewTurn
        weak var surface: (any PictureSurface)?
        let move: @MainActor (ViewVisibility) -> Void
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
    private var turns = ViewTurns<Load>()
    private var speed = ScrollSpeed()
    private var direction: ScrollDirection?
    /// The calls to come: a look soon, one when near loads may begin, and the next frame of a scroll.
    private var soon: (any CancellableTask)?
    private var later: (any CancellableTask)?
    private var frame: (any CancellableTask)?

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
        if let load = turns.loads[request.id] { return load.turn.visibility != .far }
        if request.isInMemory(box) { return true }
        let turn = ViewTurn(isPatient: request.isPatient)
        turns.add(Load(id: request.id, turn: turn, surface: surface, move: request.move))
        lookSoon()
        return false
    }

    func withdraw(_ id: ViewLoadID) {
        if turns.remove(id)?.turn.seenSince != nil { lookSoon() }
    }

    // MARK: - Looking

    /// After all loads of this turn of the main loop have come, so that they begin in reading order.
    private func lookSoon() {
        guard soon == nil, visibleArea != nil, !turns.loads.isEmpty else { return }
        soon = clock.call(at: clock.now) { [weak self] in
            self?.soon = nil
            self?.look()
        }
    }

    private func look() {
        guard let visibleArea else { return }
        let views = turns.loads.values.compactMap { load in
            load.surface?.frameInScroller.map { (id: load.id, standing: standing(of: $0, in: visibleArea)) }
        }
        turns.look(at: views, isRightToLeft: isRightToLeft)
        while let (load, visibility) = turns.next(at: clock.now) { load.move(visibility) }
        later?.cancel()
        later = turns.timeOfNear(at: clock.now).map { time in clock.call(at: time) { [weak self] in self?.look() } }
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
