import CGtk4
import WebImage
import WebImageGTK

/// The frame counter of a playing picture, and the button that pauses and starts it.
final class PlaybackPanel {
    let widget: Widget
    private let view: PictureView
    private let counter = Make.label().classes("counter")
    let button: Widget = gtk_button_new_from_icon_name(PlaybackPanel.pauseIcon)
    private var following: Task<Void, Never>?

    private static let pauseIcon = "media-playback-pause-symbolic"
    private static let startIcon = "media-playback-start-symbolic"

    init(_ view: PictureView) {
        self.view = view
        widget = Make.box(GTK_ORIENTATION_HORIZONTAL, counter, Make.spacer(), button).classes("playback")
        button.setTitle("Pause")
        gtk_widget_set_valign(widget, GTK_ALIGN_END)
        gtk_widget_set_valign(counter, GTK_ALIGN_CENTER)
        connect(UnsafeMutableRawPointer(button), "clicked") { [weak self] in self?.toggle() }
    }

    isolated deinit { following?.cancel() }

    /// The text of the counter.
    var text: String { String(cString: gtk_label_get_text(OpaquePointer(counter))) }

    /// Another picture is loaded, which will play this way.
    func prepare(_ settings: PlaybackSettings) {
        following?.cancel()
        view.playback = settings
        gtk_widget_set_visible(widget, 0)
    }

    /// The picture has come.
    func follow() {
        guard let player = view.player else { return }
        let (updates, count) = (player.updates, player.totalFrameCount)
        gtk_widget_set_visible(widget, 1)
        following = Task { [weak self] in
            // Other views may play on while this one stands still, and then its frame stays.
            for await update in updates { self?.show(update, of: count) }
            // A larger view plays another decode of its picture.
            if !Task.isCancelled { self?.follow() }
        }
    }

    private func show(_ update: AnimatedImagePlayer.Update, of count: Int) {
        if view.isAnimating || text.isEmpty { setText(counter, "\(update.frameIndex + 1) / \(count)") }
        showState()
    }

    private func toggle() {
        if view.isAnimating { view.stopAnimating() } else { view.startAnimating() }
        showState()
    }

    private func showState() {
        let isAnimating = view.isAnimating
        let icon = isAnimating ? Self.pauseIcon : Self.startIcon
        guard gtk_button_get_icon_name(cast(button)).map({ String(cString: $0) }) != icon else { return }
        gtk_button_set_icon_name(cast(button), icon)
        button.setTitle(isAnimating ? "Pause" : "Play")
    }
}
