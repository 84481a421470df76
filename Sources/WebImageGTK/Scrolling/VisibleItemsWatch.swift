import CGtk4

/// Says which items of a list are visible: after each layout while the list is on the screen, whatever has caused it. A list
/// that fits into its scroller moves nothing when its model is filled.
final class VisibleItemsWatch {
    private let list: WeakWidget
    private let told: (VisibleItems, UnsafeMutablePointer<GtkWidget>) -> Void
    private var layouts: SignalConnection?
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

    /// The list may have come into another window.
    private func follow() {
        isLooking = false
        layouts = list.with { gtk_widget_get_frame_clock($0) }.map { clock in
            SignalConnection(clock.address, "layout", isLast: true) { [weak self] in self?.tell() }
        }
        look()
    }

    private func tell() {
        isLooking = false
        list.with { if $0.isMapped { told(VisibleItems(of: $0), $0) } }
    }
}
