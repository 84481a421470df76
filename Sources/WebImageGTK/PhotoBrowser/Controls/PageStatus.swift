import CGtk4
import WebImage

/// The widgets over the current page: the progress of its load, a complaint with a button to try again, or the button
/// that plays a video.
final class PageStatus {
    enum Content: Equatable {
        case none
        /// nil while the part is unknown.
        case loading(Double?)
        case failed(String)
        case video
    }

    let widget = UnsafeMutablePointer<GtkWidget>.box(GTK_ORIENTATION_VERTICAL)
    let retryButton: UnsafeMutablePointer<GtkWidget>
    let playButton: UnsafeMutablePointer<GtkWidget>
    let indicator = CircularProgressIndicator(label: "Loading the photo")
    private let trouble = UnsafeMutablePointer<GtkWidget>.box(GTK_ORIENTATION_VERTICAL, style: "trouble")
    private let message: UnsafeMutablePointer<GtkWidget> = gtk_label_new("")
    /// Says what was done.
    let notice: UnsafeMutablePointer<GtkWidget> = gtk_label_new("")

    var content = Content.none {
        didSet { if content != oldValue { update(from: oldValue) } }
    }

    init(of pages: BrowserPages) {
        retryButton = gtk_button_new_with_label("Try again")
        playButton = BrowserButton.make("media-playback-start-symbolic", "Play the video") { [weak pages] in
            pages?.playVideo()
        }
        connect(UnsafeMutableRawPointer(retryButton), "clicked") { [weak pages] in pages?.retry() }
        gtk_widget_set_focus_on_click(retryButton, 0)
        gtk_widget_add_css_class(playButton, "play")
        let icon: UnsafeMutablePointer<GtkWidget> = gtk_image_new_from_icon_name("image-missing-symbolic")
        gtk_image_set_pixel_size(OpaquePointer(icon), 64)
        gtk_label_set_wrap(OpaquePointer(message), 1)
        gtk_label_set_max_width_chars(OpaquePointer(message), 60)
        gtk_label_set_justify(OpaquePointer(message), GTK_JUSTIFY_CENTER)
        gtk_widget_set_halign(retryButton, GTK_ALIGN_CENTER)
        trouble.append(icon, message, retryButton)
        gtk_widget_add_css_class(notice, "notice")
        gtk_label_set_wrap(OpaquePointer(notice), 1)
        gtk_widget_set_halign(notice, GTK_ALIGN_CENTER)
        widget.append(indicator.indicatorView, trouble, playButton, notice)
        gtk_widget_set_halign(widget, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
        gtk_widget_set_can_target(widget, 0)
        for part in [trouble, playButton, notice] { part.setVisible(false) }
    }

    /// - Parameter text: nil for none.
    func show(notice text: String?) {
        notice.setVisible(text != nil)
        if let text { gtk_label_set_text(OpaquePointer(notice), text) }
    }

    private func update(from former: Content) {
        var hasButton = content == .video
        playButton.setVisible(hasButton)
        if case .failed(let reason) = content {
            gtk_label_set_text(OpaquePointer(message), reason)
            hasButton = true
        }
        trouble.setVisible(hasButton && content != .video)
        // The ring of a load lets clicks through to the page; the buttons take them.
        gtk_widget_set_can_target(widget, hasButton ? 1 : 0)
        switch (former, content) {
        case (.loading, .loading(let part)): indicator.updateProgress(part ?? 0)
        case (_, .loading(let part)):
            indicator.startAnimating()
            indicator.updateProgress(part ?? 0)
        case (.loading, _): indicator.stopAnimating()
        default: break
        }
    }
}
