import CGtk4
import WebImage

/// Decides when the loads of one widget may begin, and what their pictures are decoded for.
final class ViewAdmission {
    var sizing = ImageSizing.automatic

    private let widget: UnsafeMutablePointer<GtkWidget>
    /// Loads that wait for the widget's size.
    private var unsized: [UInt64: @MainActor () -> Void] = [:]
    /// Loads that have waited for a size in vain, and why.
    private var disappointed: [UInt64: Disappointment] = [:]
    /// Loads that wait in scrollers, which may not be around the widget any more.
    private var areas: [UInt64: ScrollArea] = [:]
    private var ticks: FrameTicks?
    private var patience: Task<Void, Never>?

    private enum Disappointment {
        /// The widget was laid out and has no size, or one side only: its picture has to give it the rest.
        case sizeless
        /// The widget was not laid out for quite a while. Whoever counts on the end of the load shall have it.
        case unseen
    }

    /// How long a load waits for a widget that nobody sees to be laid out.
    private static let patience = Duration.milliseconds(100)
    /// Points that such a widget's picture is decoded for. When it is seen and larger, it is decoded anew.
    private static let unseenSize = PointSize(width: 256, height: 256)

    init(_ widget: UnsafeMutablePointer<GtkWidget>) { self.widget = widget }

    /// - Parameter fit: How the widget lays the picture out; nil where the app shows it itself.
    func admit(_ request: AdmissionRequest, fit: ContentFit?) -> LoadAdmission {
        let takesViewSize = request.takesViewSize && fit != nil && decodesToViewSize
        guard takesViewSize || request.isPatient else { return .now(nil) }
        let area = ScrollArea.around(widget)
        var box: DecodeBox?
        if takesViewSize, let fit {
            let disappointment = disappointed.removeValue(forKey: request.number)
            box = self.box(fit: fit)
            if box == nil, disappointment == .sizeless { box = self.box(viewSize, fit) }
            if let box, isMapped { area?.learn(box) }
            box = box ?? guess(for: request, in: area)
            if box == nil, disappointment == .unseen { box = self.box(Self.unseenSize, fit) }
            if box == nil, disappointment == nil {
                waitForSize(request)
                return .later
            }
        }
        forget(request.number)
        guard request.isPatient, let fast = area?.fastest, !request.isInMemory(box) else { return .now(box) }
        areas[request.number] = fast
        let widget = widget
        fast.hold(
            id(request.number),
            ScrollArea.Load(isSeen: { gtk_widget_get_mapped(widget) != 0 }, resume: request.resume))
        return .later
    }

    /// What the widget's picture is to be decoded for; nil for as it is, and while the widget has no size.
    func box(fit: ContentFit) -> DecodeBox? {
        let size = viewSize
        return decodesToViewSize && !size.isEmpty ? box(size, fit) : nil
    }

    func withdraw(_ number: UInt64) { forget(number) }

    /// The widget is on the screen now, and in some cases has its size.
    func widgetWasMapped() {
        guard !unsized.isEmpty else { return }
        if viewSize.isEmpty { waitForFrame() } else { resumeAll() }
    }

    /// The widget is going.
    func end() {
        for number in Array(areas.keys) { forget(number) }
        stopWaiting()
        unsized = [:]
    }
}

extension ViewAdmission {
    /// What is laid out, or at least will be.
    private var viewSize: PointSize {
        var (width, height): (Int32, Int32) = (-1, -1)
        gtk_widget_get_size_request(widget, &width, &height)
        return PointSize(
            width: Double(max(width, gtk_widget_get_width(widget))),
            height: Double(max(height, gtk_widget_get_height(widget))))
    }

    private var decodesToViewSize: Bool {
        switch sizing {
        case .view: true
        case .file: false
        case .automatic: isInList
        }
    }

    private var isInList: Bool {
        guard let parent = gtk_widget_get_parent(widget) else { return false }
        return gtk_widget_get_ancestor(parent, gtk_list_base_get_type()) != nil
            || gtk_widget_get_ancestor(parent, gtk_list_box_get_type()) != nil
            || gtk_widget_get_ancestor(parent, gtk_flow_box_get_type()) != nil
    }

    private func id(_ number: UInt64) -> ScrollArea.LoadID {
        ScrollArea.LoadID(widget: UInt(bitPattern: widget), number: number)
    }

    private var scaleFactor: Double { Double(gtk_widget_get_scale_factor(widget)) }

    private var isMapped: Bool { gtk_widget_get_mapped(widget) != 0 }

    /// A list binds many cells that it does not lay out. What their neighbours show is what they will most likely show.
    private func guess(for request: AdmissionRequest, in area: ScrollArea?) -> DecodeBox? {
        guard !isMapped, let area else { return nil }
        let number = request.number
        let box = area.guess(for: id(number)) { [weak self] in self?.resume(number) }
        if box == nil { areas[number] = area }
        return box
    }

    private func waitForSize(_ request: AdmissionRequest) {
        unsized[request.number] = request.resume
        if isMapped { waitForFrame() } else { waitForMapping() }
    }

    private func waitForMapping() {
        guard patience == nil else { return }
        patience = Task { [weak self] in
            do { try await Task.sleep(for: Self.patience) } catch { return }
            self?.resumeAll(.unseen)
        }
    }

    private func box(_ size: PointSize, _ fit: ContentFit) -> DecodeBox? {
        DecodeBox(viewSize: size, scaleFactor: scaleFactor, fit: fit)
    }

    /// The widget is laid out in the frame that comes, which ends before the one after that begins. If it has no size even
    /// then, its picture has to give it one; an empty `GtkPicture` in a vertical box or in a list's row has a width and no
    /// height.
    private func waitForFrame() {
        guard ticks == nil else { return }
        var frames = 0
        ticks = FrameTicks(of: widget) { [weak self] _ in
            guard let self else { return false }
            frames += 1
            guard frames == 2 || !viewSize.isEmpty else { return true }
            ticks = nil
            resumeAll(viewSize.isEmpty ? .sizeless : nil)
            return false
        }
    }

    private func resumeAll(_ disappointment: Disappointment? = nil) {
        stopWaiting()
        for number in unsized.keys.sorted() {
            disappointed[number] = disappointment
            resume(number)
        }
    }

    private func stopWaiting() {
        ticks?.stop()
        ticks = nil
        patience?.cancel()
        patience = nil
    }

    private func resume(_ number: UInt64) { unsized.removeValue(forKey: number)?() }

    private func forget(_ number: UInt64) {
        unsized[number] = nil
        disappointed[number] = nil
        areas.removeValue(forKey: number)?.withdraw(id(number))
    }
}
