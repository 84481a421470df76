import CGtk4
import WebImage

/// The state of a scroller for the views in it: where it scrolls to, whether that is too fast for pictures to be seen, and
/// the decode sizes of its cells.
///
/// A scroller is a `GtkScrolledWindow`, or a list or viewport outside of one, which another widget of the app moves. The
/// scroller owns this object, which watches frames only while something moves.
final class ScrollArea {
    /// The source of time; tests replace it.
    var time = FrameAnimation.frameTime
    /// The widget whose frames are watched; tests replace it by one without frames.
    var frames: UnsafeMutablePointer<GtkWidget>

    private let scroller: UnsafeMutablePointer<GtkWidget>
    private var speed = ScrollSpeed()
    /// Screens scrolled forwards so far, on both axes. A change of the screen's size does not count.
    private var position = 0.0
    /// The values of the adjustments at the latest movement.
    private var values: [Double] = []
    /// The direction of the latest scroll; nil before the first one.
    private(set) var direction: ScrollDirection?
    /// The scroller's present adjustments, which an app may replace.
    private var movements: [SignalConnection] = []
    private var ticks: FrameTicks?
    private var watch: FrameWatch?
    private var cellSizes = CellSizes()
    /// Loads that wait for the decode size of their kind of cell.
    private var tickets: [ViewLoadID: LoadTicket] = [:]

    private static let key = "webimage-scroll-area"

    private init(_ scroller: UnsafeMutablePointer<GtkWidget>) {
        self.scroller = scroller
        frames = scroller
        // One around it also moves the views.
        _ = ScrollArea.around(scroller)
        speed.note(position, at: 0)
        watchAdjustments()
        for property in ["hadjustment", "vadjustment"] {
            connect(UnsafeMutableRawPointer(scroller), "notify::\(property)") { [weak self] in self?.watchAdjustments()
            }
        }
        // No frame comes any more that could report the end of the scrolling.
        connect(UnsafeMutableRawPointer(scroller), "unrealize") { [weak self] in self?.stop() }
    }

    /// Whether it scrolls too fast for pictures to be seen.
    var isFast: Bool { speed.motion == .fast }

    // MARK: Finding

    /// The scroller that `widget` is in; nil for none.
    static func around(_ widget: UnsafeMutablePointer<GtkWidget>) -> ScrollArea? {
        guard let scroller = widget.scroller else { return nil }
        return AssociatedObject.of(key, on: scroller) { ScrollArea(scroller) }
    }

    /// The state of this scroller, if a view in it has loaded a picture.
    static func of(_ scroller: UnsafeMutablePointer<GtkWidget>) -> ScrollArea? {
        AssociatedObject.find(key, on: scroller)
    }

    // MARK: Sizes

    /// Adds a load that waits for the decode size of its kind of cell.
    func add(_ ticket: LoadTicket) { tickets[ticket.id] = ticket }

    func remove(_ ticket: LoadTicket) { tickets[ticket.id] = nil }

    /// The decode size of this kind of cell; nil while it is not known.
    func box(of kind: CellKind) -> DecodeBox? { cellSizes.box(of: kind, width: gtk_widget_get_width(scroller)) }

    /// Records the decode size of a cell.
    func learn(_ box: DecodeBox, of kind: CellKind) {
        cellSizes.learn(box, of: kind, width: gtk_widget_get_width(scroller))
        for ticket in tickets.values {
            guard case .forCells(kind, _) = ticket.wait else { continue }
            // Other cells of the kind may have a size before it asks again.
            ticket.wait = .forLayout
            CompletionPump.shared.push { MainActor.assumeIsolated { ticket.resume() } }
        }
    }

    // MARK: Moving

    private func watchAdjustments() {
        let adjustments = scroller.scrollAdjustments
        values = adjustments.map(gtk_adjustment_get_value)
        movements = adjustments.map { adjustment in
            SignalConnection(adjustment, "value-changed") { [weak self] in self?.hasMoved() }
        }
    }

    private func hasMoved() {
        let screens = takeScreens()
        let way = screens.reduce(0, +)
        if way != 0 { direction = way > 0 ? .forwards : .backwards }
        position += way
        WindowLoads.around(scroller)?.note(scrolled: screens.reduce(0) { $0 + abs($1) })
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

    /// The movement of each adjustment since the latest call, in screens; an app may set a value of NaN.
    private func takeScreens() -> [Double] {
        let adjustments = scroller.scrollAdjustments
        let former = values
        values = adjustments.map(gtk_adjustment_get_value)
        return zip(adjustments, zip(former, values)).map { adjustment, value in
            let screens = (value.1 - value.0) / max(1, gtk_adjustment_get_page_size(adjustment))
            return screens.isFinite ? screens : 0
        }
    }
}

extension UnsafeMutablePointer<GtkWidget> {
    /// The nearest `GtkScrolledWindow` around this widget; outside of those, the outermost widget that scrolls by itself.
    var scroller: Self? {
        guard let parent = gtk_widget_get_parent(self) else { return nil }
        if let window = gtk_widget_get_ancestor(parent, gtk_scrolled_window_get_type()) { return window }
        return sequence(first: parent) { gtk_widget_get_parent($0) }.reduce(nil as Self?) { $1.isScrollable ? $1 : $0 }
    }

    /// Whether the widget itself moves what is in it, by adjustments.
    var isScrollable: Bool { isA(gtk_scrollable_get_type()) }
}
