import CGtk4

/// Says which items of a list are visible: once it is on the screen, and after each layout that follows a movement.
final class VisibleItemsWatch {
    private let list: WeakWidget
    private let told: (VisibleItems, UnsafeMutablePointer<GtkWidget>) -> Void
    private var movements: [SignalConnection] = []
    /// Not a connection that retains the list, which may go before.
    private var mapping: gulong = 0
    private var isLooking = false

    /// - Parameter told: Called after a layout, with the list.
    init(
        _ list: UnsafeMutablePointer<GtkWidget>,
        told: @escaping (VisibleItems, UnsafeMutablePointer<GtkWidget>) -> Void
    ) {
        self.list = WeakWidget(list)
        self.told = told
        mapping = connect(list.address, "map") { [weak self] in self?.follow() }
        if list.isMapped { follow() }
    }

    isolated deinit { list.with { g_signal_handler_disconnect($0.address, mapping) } }

    /// Whether it watches that list.
    func watches(_ list: UnsafeMutablePointer<GtkWidget>) -> Bool { self.list.with { $0 == list } ?? false }

    /// Says it again after the next layout.
    func look() {
        guard !isLooking, let window = list.with({ WindowLoads.around($0) }) else { return }
        isLooking = true
        window.nextLook { [weak self] in self?.tell() }
    }

    /// The list may have come into another scroller.
    private func follow() {
        isLooking = false
        let scroller = list.with { $0.firstList.flatMap { $0.scroller ?? ($0.isScrollable ? $0 : nil) } }
        movements = (scroller?.scrollAdjustments ?? []).flatMap { adjustment in
            ["changed", "value-changed"].map { signal in
                SignalConnection(adjustment, signal) { [weak self] in self?.look() }
            }
        }
        look()
    }

    private func tell() {
        isLooking = false
        list.with { if $0.isMapped { told(VisibleItems(of: $0), $0) } }
    }
}
