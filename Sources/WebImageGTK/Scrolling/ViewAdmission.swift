import CGtk4
import WebImage

/// Decides when the loads of one widget may begin, and at what size their pictures are decoded.
final class ViewAdmission: LoadAdmitting {
    /// The wait for the widget's size.
    private(set) lazy var sizeWait = SizeWait(widget, hasSize: { [widget] in !widget.laidOutSize.isEmpty }) {
        [weak self] disappointment in self?.sizeWaitHasEnded(disappointment)
    }
    /// Called when the view of a load in a list or scroller has moved.
    var moved: (ViewVisibility) -> Void = { _ in }

    private let widget: UnsafeMutablePointer<GtkWidget>
    /// The places whose sizing was set.
    private var sizings: [ViewLoadKey: ImageSizing] = [:]
    /// The loads that have not begun at once, until they end.
    private var tickets: [ViewLoadID: LoadTicket] = [:]
    /// Places whose pictures are decoded for their size.
    private var viewSized: Set<ViewLoadKey> = []
    private var isEnded = false

    /// The decode size for an invisible widget, in points. If it is larger when it becomes visible, the picture is
    /// decoded again.
    private static let unseenSize = PointSize(width: 256, height: 256)

    init(_ widget: UnsafeMutablePointer<GtkWidget>) { self.widget = widget }

    /// The sizing of a place.
    func sizing(of slot: PictureSlot) -> ImageSizing {
        sizings[slot.key] ?? slot.usualKey.flatMap { sizings[$0] } ?? .automatic
    }

    func setSizing(_ sizing: ImageSizing, of slot: PictureSlot) { sizings[slot.key] = sizing }

    /// Whether the picture of a place is decoded for its size.
    func isViewSized(_ place: ViewLoadKey) -> Bool { viewSized.contains(place) }

    /// Whether a load for a view may begin now. Where the app shows the pictures itself, it says how large they are.
    func admit(_ request: AdmissionRequest, for view: any WidgetView) -> LoadAdmission {
        guard !isEnded else { return .now(nil) }
        let slot = view.slot
        let fit = request.takesViewSize && decodesToViewSize(slot) ? slot.target?.contentFit : nil
        let disappointment = tickets[request.id]?.takeDisappointment()
        return admitOutOfTurn(request, fit, at: slot) ?? admitInTurn(request, fit, at: slot, disappointment)
    }

    private func admitInTurn(
        _ request: AdmissionRequest, _ fit: ContentFit?, at slot: PictureSlot,
        _ disappointment: SizeWait.Disappointment?
    ) -> LoadAdmission {
        var box: DecodeBox?
        if let fit {
            let area = ScrollArea.around(widget)
            box = self.box(at: slot, fit, disappointment, in: area)
            if box == nil, disappointment == nil {
                waitForSize(ticket(of: request), of: kind(slot, fit), in: area)
                return .later
            }
        }
        tickets[request.id]?.wait = .none
        WindowlessLoads.note(widget) { request.isInMemory(box) }
        return begin(box, at: slot.key)
    }

    /// The decode size for a place; nil for the file's size, and while the widget has no size.
    func box(of slot: PictureSlot) -> DecodeBox? {
        guard let fit = slot.target?.contentFit, decodesToViewSize(slot) else { return nil }
        let size = laidOutSize(of: slot)
        return size.isEmpty ? nil : box(size, fit)
    }

    /// If the order of loads matters, only memory answers at once.
    func admitReload(_ request: AdmissionRequest) -> Bool {
        guard !isEnded, isInRecyclingList || ScrollArea.around(widget) != nil, !request.isInMemory(nil) else {
            return true
        }
        enqueue(ticket(of: request))
        return false
    }

    func withdraw(_ id: ViewLoadID) {
        guard let ticket = tickets.removeValue(forKey: id) else { return }
        ticket.wait = .none
        ticket.window?.remove(ticket)
    }

    /// The widget is mapped.
    func widgetWasMapped() {
        let window = WindowLoads.around(widget)
        for ticket in tickets.values where ticket.isQueued {
            if ticket.window === window { window?.wake(ticket) } else { enqueue(ticket) }
        }
        sizeWait.widgetWasMapped()
    }

    /// The widget is being destroyed.
    func end() {
        isEnded = true
        for id in tickets.keys { withdraw(id) }
        sizeWait.stop()
    }

    private func ticket(of request: AdmissionRequest) -> LoadTicket {
        if let ticket = tickets[request.id] { return ticket }
        let ticket = LoadTicket(request, of: widget) { [weak self] in self?.moved($0) }
        tickets[request.id] = ticket
        return ticket
    }
}

// MARK: - The order of loads

extension ViewAdmission {
    /// The answer that does not depend on a size: memory has the picture, or the view is far away from what is visible, or its
    /// place is not known yet. nil for a load whose turn has come.
    private func admitOutOfTurn(_ request: AdmissionRequest, _ fit: ContentFit?, at slot: PictureSlot) -> LoadAdmission?
    {
        if let ticket = tickets[request.id], ticket.isQueued { return ticket.turn.visibility == .far ? .later : nil }
        let area = ScrollArea.around(widget)
        guard isInRecyclingList || area != nil else { return nil }
        let box = fit.flatMap { self.box(at: slot, $0, nil, in: area) }
        if fit == nil || box != nil, request.isInMemory(box) { return begin(box, at: slot.key) }
        // A list moves its cells in the layout after it has bound them, and an empty view grows with its picture.
        let isLaidOut =
            !isInRecyclingList && widget.isMapped && gtk_widget_get_width(widget) > 0
            && gtk_widget_get_height(widget) > 0
        return enqueue(ticket(of: request), isLaidOut: isLaidOut) ? nil : .later
    }

    /// Queues the load of a view in a list or scroller, at its place once the window is laid out.
    ///
    /// - Parameter isLaidOut: Whether the view is already where it will be in the next frame.
    /// - Returns: Whether it may begin at once.
    @discardableResult
    private func enqueue(_ ticket: LoadTicket, isLaidOut: Bool = false) -> Bool {
        ticket.window?.remove(ticket)
        ticket.turn = ViewTurn(isPatient: ticket.request.isPatient)
        ticket.isQueued = true
        ticket.isInRecyclingList = isInRecyclingList
        ticket.window = WindowLoads.around(widget)
        return ticket.window?.add(ticket, isLaidOut: isLaidOut) ?? false
    }

    /// Whether the widget is in a list that makes cells for the visible items and for some more.
    var isInRecyclingList: Bool {
        guard let parent = gtk_widget_get_parent(widget) else { return false }
        return gtk_widget_get_ancestor(parent, gtk_list_base_get_type()) != nil || widget.isInNewCell
    }
}

// MARK: - Decode sizes

extension ViewAdmission {
    private func begin(_ box: DecodeBox?, at place: ViewLoadKey) -> LoadAdmission {
        if box == nil { viewSized.remove(place) } else { viewSized.insert(place) }
        return .now(box)
    }

    /// - Parameter disappointment: Why the load has waited for a size in vain.
    private func box(
        at slot: PictureSlot, _ fit: ContentFit, _ disappointment: SizeWait.Disappointment?, in area: ScrollArea?
    ) -> DecodeBox? {
        let size = laidOutSize(of: slot)
        if !size.isEmpty || disappointment == .sizeless, let box = box(size, fit) {
            if widget.isMapped, sizeRequest(of: slot).isOpen { area?.learn(box, of: kind(slot, fit)) }
            return box
        }
        // A list binds many cells that it does not lay out. They most likely show what their neighbours show.
        let guess = widget.isMapped ? nil : area?.box(of: kind(slot, fit))
        return guess ?? (disappointment == .unseen ? box(Self.unseenSize, fit) : nil)
    }

    private func decodesToViewSize(_ slot: PictureSlot) -> Bool {
        switch sizing(of: slot) {
        case .view: true
        case .file: false
        case .automatic: isInList || slot.target?.fixedSize != nil
        }
    }

    /// A size that the app has fixed is known before the layout.
    private func laidOutSize(of slot: PictureSlot) -> PointSize {
        let (size, fixed) = (widget.laidOutSize, slot.target?.fixedSize)
        guard let fixed else { return size }
        return PointSize(
            width: fixed.width > 0 ? fixed.width : size.width, height: fixed.height > 0 ? fixed.height : size.height)
    }

    private var isInList: Bool {
        guard let parent = gtk_widget_get_parent(widget) else { return false }
        return isInRecyclingList || gtk_widget_get_ancestor(parent, gtk_list_box_get_type()) != nil
            || gtk_widget_get_ancestor(parent, gtk_flow_box_get_type()) != nil
    }

    private var scaleFactor: Double { Double(gtk_widget_get_scale_factor(widget)) }

    private func kind(_ slot: PictureSlot, _ fit: ContentFit) -> CellKind {
        CellKind(
            place: slot.key, type: widget.type, depth: widget.depth, sizeRequest: sizeRequest(of: slot), fit: fit,
            scaleFactor: scaleFactor)
    }

    private func sizeRequest(of slot: PictureSlot) -> CellKind.SizeRequest {
        let (request, fixed) = (widget.sizeRequest, slot.target?.fixedSize)
        guard let fixed else { return request }
        return CellKind.SizeRequest(
            width: fixed.width > 0 ? Int32(fixed.width) : request.width,
            height: fixed.height > 0 ? Int32(fixed.height) : request.height)
    }

    private func box(_ size: PointSize, _ fit: ContentFit) -> DecodeBox? {
        DecodeBox(viewSize: size, scaleFactor: scaleFactor, fit: fit)
    }

    private func waitForSize(_ ticket: LoadTicket, of kind: CellKind, in area: ScrollArea?) {
        if !widget.isMapped, let area { ticket.wait = .forCells(kind, area) } else { ticket.wait = .forLayout }
        sizeWait.begin()
    }

    private func sizeWaitHasEnded(_ disappointment: SizeWait.Disappointment?) {
        let waiting = tickets.values.filter(\.waitsForSize).sorted { $0.id < $1.id }
        for ticket in waiting { ticket.resume(disappointment) }
    }
}

extension UnsafeMutablePointer<GtkWidget> {
    fileprivate var type: GType { pointee.parent_instance.g_type_instance.g_class?.pointee.g_type ?? 0 }

    /// Whether the widget is in a cell that its list has made and not taken in yet. Newer versions of GTK bind such a cell,
    /// which has no parent then.
    fileprivate var isInNewCell: Bool {
        let cellType = g_type_from_name("GtkListItemBase")
        let top = sequence(first: self) { gtk_widget_get_parent($0) }.reduce(self) { $1 }
        return cellType != 0 && top != self && top.isA(cellType)
    }

    /// The number of widgets from this one to the window.
    fileprivate var depth: Int {
        sequence(first: self) { gtk_widget_get_parent($0) }.reduce(0) { count, _ in count + 1 }
    }

    fileprivate var sizeRequest: CellKind.SizeRequest {
        var (width, height): (Int32, Int32) = (-1, -1)
        gtk_widget_get_size_request(self, &width, &height)
        return CellKind.SizeRequest(width: width, height: height)
    }

    /// The allocated size, or the size that the layout will give.
    ///
    /// A side of one point that nothing asks for is that of a colour in the picture's place, and counts as none.
    fileprivate var laidOutSize: PointSize {
        func side(_ request: Int32, _ allocated: Int32) -> Double {
            Double(Swift.max(request, allocated > 1 ? allocated : 0))
        }
        let request = sizeRequest
        return PointSize(
            width: side(request.width, gtk_widget_get_width(self)),
            height: side(request.height, gtk_widget_get_height(self)))
    }
}
