import CGtk4
import WebImage

/// The state of a `GtkScrolledWindow` for the views in it: where it scrolls to, whether that is too fast for pictures to
/// be seen, and the decode sizes of its cells.
///
/// The widget owns it. It watches frames only while something moves.
final class ScrollArea {
    /// The source of time; tests replace it.
    var time = FrameAnimation.frameTime
    /// The widget whose frames are watched; tests replace it by one without frames.
    var frames: UnsafeMutablePointer<GtkWidget>

    private let scroller: UnsafeMutablePointer<GtkWidget>
    private var speed = ScrollSpeed()
    private var lastPosition = 0.0
    /// The direction of the latest scroll; nil before the first one.
    private(set) var direction: ScrollDirection?
    private var ticks: FrameTicks?
    private var watch: FrameWatch?
    private var cellSizes = CellSizes()
    /// Loads that wait for the decode size of their kind of cell.
    private var guessers: [ViewLoadID: (kind: CellKind, resume: @MainActor () -> Void)] = [:]

    private static let key = "webimage-scroll-area"

    private init(_ scroller: UnsafeMutablePointer<GtkWidget>) {
        self.scroller = scroller
        frames = scroller
        lastPosition = position
        speed.note(lastPosition, at: 0)
        for adjustment in scroller.scrollAdjustments {
            connect(UnsafeMutableRawPointer(adjustment), "value-changed") { [weak self] in self?.hasMoved() }
        }
        // No frame comes any more that could report the end of the scrolling.
        connect(UnsafeMutableRawPointer(scroller), "unrealize") { [weak self] in self?.stop() }
    }

    /// Whether it scrolls too fast for pictures to be seen.
    var isFast: Bool { speed.motion == .fast }

    // MARK: Finding

    /// The scroller that `widget` is in; nil for none.
    static func around(_ widget: UnsafeMutablePointer<GtkWidget>) -> ScrollArea? {
        guard let parent = gtk_widget_get_parent(widget),
            let scroller = gtk_widget_get_ancestor(parent, gtk_scrolled_window_get_type())
        else { return nil }
        return AssociatedObject.of(key, on: scroller) { ScrollArea(scroller) }
    }

    /// The innermost scroller around that scrolls fast: a row that scrolls sideways also moves with its list.
    var fastest: ScrollArea? { isFast ? self : ScrollArea.around(scroller)?.fastest }

    /// The state of this scroller, if a view in it has loaded a picture.
    static func of(_ scroller: UnsafeMutablePointer<GtkWidget>) -> ScrollArea? {
        AssociatedObject.find(key, on: scroller)
    }

    // MARK: Sizes

    /// Forgets a load that was cancelled.
    func withdraw(_ id: ViewLoadID) { guessers[id] = nil }

    private static func resumeLater(_ resume: @escaping @MainActor () -> Void) {
        CompletionPump.shared.push { MainActor.assumeIsolated { resume() } }
    }

    /// The decode size of this kind of cell if it is known; otherwise calls `resume` when it is.
    func guess(_ kind: CellKind, for id: ViewLoadID, resume: @escaping @MainActor () -> Void) -> DecodeBox? {
        let box = cellSizes.box(of: kind, width: gtk_widget_get_width(scroller))
        if box == nil { guessers[id] = (kind, resume) }
        return box
    }

    /// Records the decode size of a cell.
    func learn(_ box: DecodeBox, of kind: CellKind) {
        cellSizes.learn(box, of: kind, width: gtk_widget_get_width(scroller))
        for (id, guesser) in guessers where guesser.kind == kind {
            guessers[id] = nil
            Self.resumeLater(guesser.resume)
        }
    }

    // MARK: Moving

    private func hasMoved() {
        let position = position
        if position != lastPosition { direction = position > lastPosition ? .forwards : .backwards }
        lastPosition = position
        guard ticks == nil else { return }
        ticks = FrameTicks(of: frames) { [weak self] clock in self?.tick(clock) ?? false }
        // An invisible window gets no frames, however fast it scrolled when they stopped.
        watch = FrameWatch { [weak self] in self?.stop() }
    }

    private func tick(_ clock: OpaquePointer) -> Bool {
        let motion = speed.note(position, at: time(clock))
        if motion != .fast { requestLook() }
        watch?.noteFrame()
        if motion == .resting { (ticks, watch) = (nil, nil) }
        return motion != .resting
    }

    private func stop() {
        ticks?.stop()
        (ticks, watch) = (nil, nil)
        speed = ScrollSpeed()
        requestLook()
    }

    private func requestLook() { WindowLoads.around(scroller)?.requestLook() }

    /// In pages, the sum of both axes.
    private var position: Double {
        scroller.scrollAdjustments.reduce(0) { sum, adjustment in
            sum + gtk_adjustment_get_value(adjustment) / max(1, gtk_adjustment_get_page_size(adjustment))
        }
    }
}
