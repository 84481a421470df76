import CGtk4
import WebImage

/// The loads of one widget that wait for its size.
final class SizeWait {
    /// Why a load gives up waiting.
    enum Disappointment {
        /// The widget has a layout but no size, or one side only: its picture has to give it the rest.
        case sizeless
        /// The widget got no layout for a while. The load begins, so that its caller gets an end.
        case unseen
    }

    /// The longest wait for a widget that is not on screen.
    private static let patience = Duration.milliseconds(100)

    /// The widget whose frames are awaited; tests replace it by one without frames.
    var frames: UnsafeMutablePointer<GtkWidget>

    private let widget: UnsafeMutablePointer<GtkWidget>
    private let hasSize: () -> Bool
    private var loads: [ViewLoadID: @MainActor () -> Void] = [:]
    private var disappointed: [ViewLoadID: Disappointment] = [:]
    private var ticks: FrameTicks?
    private var watch: FrameWatch?
    private var patience: Task<Void, Never>?

    init(_ widget: UnsafeMutablePointer<GtkWidget>, hasSize: @escaping () -> Bool) {
        self.widget = widget
        self.hasSize = hasSize
        frames = widget
    }

    /// Adds a load: `resume` is called once.
    func add(_ id: ViewLoadID, resume: @escaping @MainActor () -> Void) {
        loads[id] = resume
        if gtk_widget_get_mapped(widget) != 0 { waitForFrame() } else { waitForMapping() }
    }

    /// The outcome of the wait, for a load that asks again.
    func takeDisappointment(of id: ViewLoadID) -> Disappointment? { disappointed.removeValue(forKey: id) }

    /// Resumes a load.
    func resume(_ id: ViewLoadID) { loads.removeValue(forKey: id)?() }

    func forget(_ id: ViewLoadID) {
        loads[id] = nil
        disappointed[id] = nil
    }

    /// The widget is mapped, and in some cases has its size.
    func widgetWasMapped() {
        guard !loads.isEmpty else { return }
        if hasSize() { return resumeAll(nil) }
        stopWaiting()
        waitForFrame()
    }

    /// The widget is being destroyed.
    func end() {
        stopWaiting()
        loads = [:]
    }

    private func waitForMapping() {
        guard patience == nil else { return }
        patience = Task { [weak self] in
            try? await Task.sleep(for: Self.patience)
            // The wait may have ended after the sleep and before this.
            guard !Task.isCancelled else { return }
            self?.resumeAll(.unseen)
        }
    }

    /// GTK lays the widget out in the next frame, which ends before the frame after it begins. If the widget has no
    /// size even then, its picture has to give it one: an empty `GtkPicture` in a vertical box or in a list's row has a
    /// width and no height.
    private func waitForFrame() {
        guard ticks == nil else { return }
        // A minimised or covered window may get no frames while its widgets stay mapped.
        watch = FrameWatch { [weak self] in self?.resumeAll(.unseen) }
        var count = 0
        ticks = FrameTicks(of: frames) { [weak self] _ in
            guard let self else { return false }
            watch?.noteFrame()
            count += 1
            guard count == 2 || hasSize() else { return true }
            ticks = nil
            resumeAll(hasSize() ? nil : .sizeless)
            return false
        }
    }

    private func resumeAll(_ disappointment: Disappointment?) {
        stopWaiting()
        for id in loads.keys.sorted() {
            disappointed[id] = disappointment
            resume(id)
        }
    }

    private func stopWaiting() {
        ticks?.stop()
        (ticks, watch) = (nil, nil)
        patience?.cancel()
        patience = nil
    }
}
