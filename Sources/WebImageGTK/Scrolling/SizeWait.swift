import CGtk4
import WebImage

/// The wait of one widget's loads for its size.
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
    private let ended: (Disappointment?) -> Void
    private var ticks: FrameTicks?
    private var watch: FrameWatch?
    private var patience: Task<Void, Never>?

    /// - Parameter ended: Gets the end of each wait: nil for a size.
    init(
        _ widget: UnsafeMutablePointer<GtkWidget>, hasSize: @escaping () -> Bool,
        ended: @escaping (Disappointment?) -> Void
    ) {
        self.widget = widget
        self.hasSize = hasSize
        self.ended = ended
        frames = widget
    }

    /// Begins a wait, unless there is one.
    func begin() {
        if gtk_widget_get_mapped(widget) != 0 { waitForFrame() } else { waitForMapping() }
    }

    /// The widget is mapped, and in some cases has its size.
    func widgetWasMapped() {
        guard ticks != nil || patience != nil else { return }
        if hasSize() { return end(nil) }
        stop()
        waitForFrame()
    }

    /// Ends without a word.
    func stop() {
        ticks?.stop()
        (ticks, watch) = (nil, nil)
        patience?.cancel()
        patience = nil
    }

    private func waitForMapping() {
        guard patience == nil else { return }
        patience = Task { [weak self] in
            try? await Task.sleep(for: Self.patience)
            // The wait may have ended after the sleep and before this.
            guard !Task.isCancelled else { return }
            self?.end(.unseen)
        }
    }

    /// GTK lays the widget out in the next frame, which ends before the frame after it begins. If the widget has no
    /// size even then, its picture has to give it one: an empty `GtkPicture` in a vertical box or in a list's row has a
    /// width and no height.
    private func waitForFrame() {
        guard ticks == nil else { return }
        // A minimised or covered window may get no frames while its widgets stay mapped.
        watch = FrameWatch { [weak self] in self?.end(.unseen) }
        var count = 0
        ticks = FrameTicks(of: frames) { [weak self] _ in
            guard let self else { return false }
            watch?.noteFrame()
            count += 1
            guard count == 2 || hasSize() else { return true }
            ticks = nil
            end(hasSize() ? nil : .sizeless)
            return false
        }
    }

    private func end(_ disappointment: Disappointment?) {
        stop()
        ended(disappointment)
    }
}
