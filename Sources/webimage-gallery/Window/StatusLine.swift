import CGtk4
import FoundationEssentials
import WebImageGTK

/// The line at the foot of the window: the number of pictures from each source. In a narrow window only the numbers and
/// the colours of their sources remain.
final class StatusLine {
    let widget: Widget = gtk_scrolled_window_new()
    private let line = Make.box(GTK_ORIENTATION_HORIZONTAL, spacing: 26)
    private var counts: [Widget] = []
    /// Only where pictures come from files.
    private let fileCounter = Make.box(GTK_ORIENTATION_HORIZONTAL, spacing: 7)
    private var titles: [Widget] = []
    private let transferred = Make.label()
    private var megabytes = ""

    /// The width in points that all of the text needs, about.
    private static let fullWidth = 640

    init() {
        for (title, name) in [
            ("loaded", "loaded"), ("from the network", "network"), ("from files", "file"), ("from disk", "disk"),
            ("from memory", "memory"),
            ("failed", "failed"),
        ] {
            let counter = name == "file" ? fileCounter : Make.box(GTK_ORIENTATION_HORIZONTAL, spacing: 7)
            fill(counter, title, class: name)
            gtk_box_append(cast(line), counter)
        }
        gtk_box_append(cast(line), Make.spacer())
        gtk_box_append(cast(line), transferred)
        gtk_scrolled_window_set_child(OpaquePointer(widget), line)
        // The text must not keep the window from becoming narrow.
        gtk_scrolled_window_set_policy(OpaquePointer(widget), GTK_POLICY_EXTERNAL, GTK_POLICY_NEVER)
        _ = widget.classes("status")
        followWidth()
    }

    /// Called when the window has become narrow, or wide again.
    var narrowed: (Bool) -> Void = { _ in }
    /// Whether the words are left out.
    private(set) var isNarrow = false {
        didSet {
            narrowed(isNarrow)
            for title in titles { gtk_widget_set_visible(title, isNarrow ? 0 : 1) }
            gtk_box_set_spacing(cast(line), isNarrow ? 14 : 26)
            widget.setClass("narrow", isNarrow)
            showTransferred()
        }
    }

    private func showTransferred() { setText(transferred, isNarrow ? megabytes : "\(megabytes) transferred") }

    private func followWidth() {
        guard let adjustment = gtk_scrolled_window_get_hadjustment(OpaquePointer(widget)) else { return }
        connect(UnsafeMutableRawPointer(adjustment), "notify::page-size") { [weak self] in
            guard let self else { return }
            // Called during the layout, when nothing in it must change.
            FrameTicks.next(of: widget, isOwn: false) { [weak self] in
                guard let self else { return }
                let isNarrow = Int(gtk_widget_get_width(widget)) < Self.fullWidth
                if isNarrow != self.isNarrow { self.isNarrow = isNarrow }
            }
        }
    }

    func show(_ statistics: GalleryStatistics) {
        let values = [
            statistics.loaded, statistics.network, statistics.files, statistics.disk, statistics.memory,
            statistics.failed,
        ]
        gtk_widget_set_visible(fileCounter, statistics.files > 0 ? 1 : 0)
        for (label, value) in zip(counts, values) { setText(label, "\(value)") }
        megabytes = statistics.byteCount.inMegabytes
        showTransferred()
    }

    private func fill(_ counter: Widget, _ title: String, class name: String) {
        let count = Make.label("0").classes("count")
        counts.append(count)
        if name != "loaded" {
            let dot = Make.box(GTK_ORIENTATION_HORIZONTAL).classes("dot")
            gtk_widget_set_valign(dot, GTK_ALIGN_CENTER)
            gtk_box_append(cast(counter), dot)
        }
        gtk_box_append(cast(counter), count)
        let label = Make.label(title)
        titles.append(label)
        gtk_box_append(cast(counter), label)
        _ = counter.classes(name)
    }
}
