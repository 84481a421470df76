import CGtk4
import WebImage

/// What views need to know of a `GtkScrolledWindow` that they are in: whether it moves too fast to be looked at. Lets
/// loads wait meanwhile.
///
/// GTK owns it together with the widget. It looks at frames only while something moves.
final class ScrollArea {
    /// Names a load among those of all widgets.
    nonisolated struct LoadID: Hashable, Sendable {
        let widget: UInt
        let number: UInt64
    }

    /// A load that waits.
    struct Load {
        let isSeen: () -> Bool
        let resume: @MainActor () -> Void
    }

    /// Where time comes from; tests put their own in.
    var time = FrameAnimation.frameTime
    /// Whose frames are looked at; tests put in a widget that has none.
    var frames: UnsafeMutablePointer<GtkWidget>

    private let scroller: UnsafeMutablePointer<GtkWidget>
    private var speed = ScrollSpeed()
    private var held = HeldLoads<LoadID>()
    private var loads: [LoadID: Load] = [:]
    private var ticks: FrameTicks?
    private var watch: FrameWatch?
    private var cellSizes = CellSizes()
    /// Loads that would like to know what their cells will show.
    private var guessers: [LoadID: (kind: CellKind, resume: @MainActor () -> Void)] = [:]

    private static let key = "webimage-scroll-area"

    private init(_ scroller: UnsafeMutablePointer<GtkWidget>) {
        self.scroller = scroller
        frames = scroller
        speed.note(position, at: 0)
        for adjustment in scroller.scrollAdjustments {
            connect(UnsafeMutableRawPointer(adjustment), "value-changed") { [weak self] in self?.hasMoved() }
        }
        // No frame will come any more that could say that it has stopped.
        connect(UnsafeMutableRawPointer(scroller), "unrealize") { [weak self] in self?.stop() }
    }

    /// Whether what goes by cannot be looked at.
    var isFast: Bool { speed.motion == .fast }

    // MARK: Finding

    /// The scroller that `widget` is in; nil for none.
    static func around(_ widget: UnsafeMutablePointer<GtkWidget>) -> ScrollArea? {
        guard let parent = gtk_widget_get_parent(widget),
            let scroller = gtk_widget_get_ancestor(parent, gtk_scrolled_window_get_type())
        else { return nil }
        return AssociatedObject.of(key, on: scroller) { ScrollArea(scroller) }
    }

    /// This one, or one of those around it, that moves fast: a row that is scrolled sideways moves with its list.
    var fastest: ScrollArea? { isFast ? self : ScrollArea.around(scroller)?.fastest }

    // MARK: Holding

    /// Lets a load wait until the scroller slows down.
    func hold(_ id: LoadID, _ load: Load) {
        held.hold(id)
        loads[id] = load
    }

    /// Forgets a load that does not want to begin any more.
    func withdraw(_ id: LoadID) {
        held.remove(id)
        loads[id] = nil
        guessers[id] = nil
    }

    private func release() {
        guard !held.isEmpty else { return }
        for id in held.release(isSeen: { loads[$0]?.isSeen() ?? false }) {
            // One that began before it may have ended it, together with its widget.
            guard let load = loads.removeValue(forKey: id) else { continue }
            // What nobody sees has time, and there may be two hundred of them.
            if load.isSeen() { load.resume() } else { Self.resumeLater(load.resume) }
        }
    }

    private static func resumeLater(_ resume: @escaping @MainActor () -> Void) {
        CompletionPump.shared.push { MainActor.assumeIsolated { resume() } }
    }

    // MARK: Sizes

    /// What cells of this kind show, as far as one is known; otherwise `resume` is called when one is.
    func guess(_ kind: CellKind, for id: LoadID, resume: @escaping @MainActor () -> Void) -> DecodeBox? {
        let box = cellSizes.box(of: kind, width: gtk_widget_get_width(scroller))
        if box == nil { guessers[id] = (kind, resume) }
        return box
    }

    /// Notes what a cell shows.
    func learn(_ box: DecodeBox, of kind: CellKind) {
        cellSizes.learn(box, of: kind, width: gtk_widget_get_width(scroller))
        for (id, guesser) in guessers where guesser.kind == kind {
            guessers[id] = nil
            Self.resumeLater(guesser.resume)
        }
    }

    // MARK: Moving

    private func hasMoved() {
        guard ticks == nil else { return }
        ticks = FrameTicks(of: frames) { [weak self] clock in self?.tick(clock) ?? false }
        // No frames come in a window that nobody sees, however fast it was when they stopped.
        watch = FrameWatch { [weak self] in self?.stop() }
    }

    private func tick(_ clock: OpaquePointer) -> Bool {
        let motion = speed.note(position, at: time(clock))
        if motion != .fast { release() }
        watch?.noteFrame()
        if motion == .resting { (ticks, watch) = (nil, nil) }
        return motion != .resting
    }

    private func stop() {
        ticks?.stop()
        (ticks, watch) = (nil, nil)
        speed = ScrollSpeed()
        release()
    }

    /// In pages, both ways together.
    private var position: Double {
        scroller.scrollAdjustments.reduce(0) { sum, adjustment in
            sum + gtk_adjustment_get_value(adjustment) / max(1, gtk_adjustment_get_page_size(adjustment))
        }
    }
}
