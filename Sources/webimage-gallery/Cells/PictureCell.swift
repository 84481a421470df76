import CGtk4
import FoundationEssentials
import WebImage
import WebImageGTK

/// One card of the grid. The grid reuses it for other pictures as it scrolls.
final class PictureCell {
    let card: Widget
    private let picture: Widget = gtk_picture_new()
    private let trouble: Widget = gtk_image_new_from_icon_name("image-missing-symbolic")
    private let format = Make.label().classes("format")
    private let name = Make.label(cut: PANGO_ELLIPSIZE_MIDDLE).classes("name")
    private let source = Make.label().classes("source")
    private let detail = Make.label(cut: PANGO_ELLIPSIZE_END).classes("detail")

    private let overlay: Widget = gtk_overlay_new()
    /// Made for the first picture that has a way of playing.
    private(set) var playback: PlaybackPanel?

    /// How a picture that has come is shown.
    var transition = CellTransition.standard {
        didSet { if transition != oldValue { view.imageTransition = transition.widgetTransition } }
    }

    /// The index of the cell's picture in the grid.
    var position = -1
    /// The number of the cell's picture; -1 for none.
    private(set) var number = -1
    var isBound: Bool { number >= 0 }

    /// nil while the picture is being loaded.
    private(set) var settledAt: ContinuousClock.Instant?
    /// Whether the cell has its picture, visible or not.
    private(set) var hasPicture = false
    /// Nanoseconds that the gallery's own code took within the library's calls.
    private var ownTime: UInt64 = 0

    private static let sources = ["network", "file", "disk", "memory", "failed"]

    init() {
        card = Make.box(GTK_ORIENTATION_VERTICAL).classes("card")
        build()
    }

    /// Whether the cell is mapped, and so may be visible.
    var isMapped: Bool { gtk_widget_get_mapped(card) != 0 }

    /// Binds another picture.
    ///
    /// - Returns: The nanoseconds of processor time that the library took.
    func bind(
        _ item: GalleryItem, layout: CellLayout, options: WebImageOptions, context: WebImageContext,
        ended: @escaping (Result<LoadResult, WebImageError>) -> Void
    ) -> UInt64 {
        number = item.number
        settledAt = nil
        hasPicture = false
        prepare(item, layout)
        item.playback.map { prepare($0) }
        let start = ContinuousClock.now
        let threadTime = MainThreadTime.threadTime
        ownTime = 0
        view.setImage(
            with: item.url, placeholder: item.placeholder ?? PlaceholderTones.image(number: item.number),
            options: options, context: context
        ) { [weak self] result in
            let threadTime = MainThreadTime.threadTime
            self?.settle(result, number: item.number, after: ContinuousClock.now - start)
            ended(result)
            self?.ownTime += MainThreadTime.threadTime &- threadTime
        }
        return MainThreadTime.threadTime &- threadTime &- ownTime
    }

    /// The grid keeps the cell for reuse.
    func unbind() {
        number = -1
        view.cancelCurrentImageLoad()
    }

    /// The view of the picture.
    var view: PictureView { PictureView(picture) }

    /// Sets the height for the grid's columns.
    func apply(_ layout: CellLayout) { gtk_widget_set_size_request(picture, -1, Int32(layout.pictureHeight)) }

    private func prepare(_ item: GalleryItem, _ layout: CellLayout) {
        apply(layout)
        setText(name, item.name)
        setText(source, "")
        setText(detail, "loading…")
        gtk_widget_set_visible(source, 0)
        gtk_widget_set_visible(format, 0)
        gtk_widget_set_visible(trouble, 0)
        picture.setClass("translucent", false)
        for name in Self.sources { card.setClass(name, false) }
        gtk_widget_set_tooltip_text(card, item.url.title)
    }

    private func prepare(_ way: PlaybackWay) {
        let panel = playback ?? PlaybackPanel(view)
        if playback == nil { gtk_overlay_add_overlay(OpaquePointer(overlay), panel.widget) }
        playback = panel
        panel.prepare(way.settings)
    }

    private func settle(_ result: Result<LoadResult, WebImageError>, number: Int, after duration: Duration) {
        guard number == self.number else { return }
        settledAt = .now
        switch result {
        case .success(let success):
            hasPicture = true
            show(success, after: duration)
            playback?.follow()
        case .failure(let error): show(error)
        }
    }

    private func show(_ result: LoadResult, after duration: Duration) {
        let origin = result.isFromWeb ? "network" : "file"
        let source = result.cacheType == .noCache ? origin : "\(result.cacheType)"
        let size = result.image.metadata.originalPixelSize ?? result.image.pixelSize
        setSource(source, "\(size) · \(duration.brief)")
        setText(format, "\(result.image.metadata.format)".uppercased())
        gtk_widget_set_visible(format, 1)
        picture.setClass("translucent", !result.image.bitmap.isOpaque)
    }

    private func show(_ error: WebImageError) {
        setSource("failed", error.sentence)
        let title = error.url.map { "\($0.title): " } ?? ""
        gtk_widget_set_tooltip_text(card, title + error.sentence)
        gtk_widget_set_visible(trouble, 1)
    }

    private func setSource(_ name: String, _ text: String) {
        card.setClass(name, true)
        setText(source, name)
        gtk_widget_set_visible(source, 1)
        setText(detail, text)
    }

    private func build() {
        gtk_picture_set_content_fit(OpaquePointer(picture), GTK_CONTENT_FIT_COVER)
        gtk_picture_set_can_shrink(OpaquePointer(picture), 1)
        view.imageTransition = transition.widgetTransition
        gtk_overlay_set_child(OpaquePointer(overlay), picture)
        gtk_overlay_add_overlay(OpaquePointer(overlay), trouble.classes("trouble"))
        gtk_overlay_add_overlay(OpaquePointer(overlay), format)
        gtk_widget_set_halign(format, GTK_ALIGN_END)
        gtk_widget_set_valign(format, GTK_ALIGN_START)

        let dot = Make.box(GTK_ORIENTATION_HORIZONTAL).classes("dot")
        gtk_widget_set_valign(dot, GTK_ALIGN_CENTER)
        let line = Make.box(GTK_ORIENTATION_HORIZONTAL, spacing: 6, dot, source, detail)
        gtk_widget_set_hexpand(detail, 1)
        let caption = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 2, name, line).classes("caption")
        gtk_box_append(cast(card), overlay)
        gtk_box_append(cast(card), caption)
        gtk_widget_set_overflow(card, GTK_OVERFLOW_HIDDEN)
    }
}
