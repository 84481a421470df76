import CGtk4
import FoundationEssentials

/// The line at the foot of the window: the number of pictures from each source.
final class StatusLine {
    let widget: Widget
    private var counts: [Widget] = []
    private let transferred = Make.label()

    init() {
        widget = Make.box(GTK_ORIENTATION_HORIZONTAL, spacing: 26).classes("status")
        for (title, name) in [
            ("loaded", "loaded"), ("from the network", "network"), ("from disk", "disk"), ("from memory", "memory"),
            ("failed", "failed"),
        ] {
            gtk_box_append(widget.of(GtkBox.self), counter(title, class: name))
        }
        gtk_box_append(widget.of(GtkBox.self), Make.spacer())
        gtk_box_append(widget.of(GtkBox.self), transferred)
    }

    func show(_ statistics: GalleryStatistics) {
        let values = [
            statistics.loaded, statistics.network, statistics.disk, statistics.memory, statistics.failed,
        ]
        for (label, value) in zip(counts, values) { setText(label, "\(value)") }
        setText(transferred, "\(statistics.megabytes) transferred")
    }

    private func counter(_ title: String, class name: String) -> Widget {
        let count = Make.label("0").classes("count")
        counts.append(count)
        let counter = Make.box(GTK_ORIENTATION_HORIZONTAL, spacing: 7)
        if name != "loaded" {
            let dot = Make.box(GTK_ORIENTATION_HORIZONTAL).classes("dot")
            gtk_widget_set_valign(dot, GTK_ALIGN_CENTER)
            gtk_box_append(counter.of(GtkBox.self), dot)
        }
        gtk_box_append(counter.of(GtkBox.self), count)
        gtk_box_append(counter.of(GtkBox.self), Make.label(title))
        return counter.classes(name)
    }
}
