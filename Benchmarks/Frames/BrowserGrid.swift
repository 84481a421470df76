import CGtk4
import FoundationEssentials
import WebImage
import WebImageGTK

/// A grid of 10,000 thumbnails that scrolls to its end and back, at 4,000 points a second, while they load.
enum BrowserGrid {
    private static let count = 10_000
    private static let speed = 4000.0
    private static let side: gint = 180

    /// Milliseconds of the main thread for a frame that 95 of 100 frames do not exceed: of a browser's grid, and of GTK's
    /// with pictures that are there already.
    static func measure() throws -> (ours: Double, bare: Double) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "webimage-grid-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let urls = try (0..<count).map { number in
            let url = folder.appending(path: "\(number % 500).jpg")
            if number < 500 { try SamplePoster.file(number).write(to: url) }
            return url
        }
        let bare = try scrolled(bareGrid())
        let source = Thumbnails(urls)
        let browser = PhotoBrowser(dataSource: source)
        browser.startOnGrid = true
        return (try scrolled(browser.widget), bare)
    }

    /// Each photo is its own thumbnail.
    private final class Thumbnails: PhotoBrowserDataSource {
        private let urls: [URL]

        init(_ urls: [URL]) { self.urls = urls }

        func numberOfPhotos(in browser: PhotoBrowser) -> Int { urls.count }

        func photoBrowser(_ browser: PhotoBrowser, photoAt index: Int) -> Photo? { Photo(url: urls[index]) }

        func photoBrowser(_ browser: PhotoBrowser, thumbPhotoAt index: Int) -> Photo? { Photo(url: urls[index]) }
    }

    private static func bareGrid() throws -> PlaybackStage.Widget {
        let texture = try ImageCodersManager.shared.decode(SamplePoster.file(0), options: ImageDecodeOptions())
            .makeTexture()
        let model: OpaquePointer = gtk_string_list_new(nil)
        "photo".withCString { name in
            gtk_string_list_splice(model, 0, 0, [UnsafePointer<CChar>?](repeating: name, count: count) + [nil])
        }
        let factory: OpaquePointer = gtk_signal_list_item_factory_new()
        connect(factory, "setup") { (item: OpaquePointer) in
            let picture: PlaybackStage.Widget = gtk_picture_new()
            gtk_picture_set_can_shrink(OpaquePointer(picture), 1)
            gtk_widget_set_size_request(picture, side, side)
            gtk_list_item_set_child(item, picture)
        }
        connect(factory, "bind") { (item: OpaquePointer) in
            gtk_picture_set_paintable(OpaquePointer(gtk_list_item_get_child(item)), texture)
        }
        let scroller: PlaybackStage.Widget = gtk_scrolled_window_new()
        let view: PlaybackStage.Widget = gtk_grid_view_new(gtk_no_selection_new(model), factory)
        gtk_grid_view_set_min_columns(OpaquePointer(view), 5)
        gtk_grid_view_set_max_columns(OpaquePointer(view), 5)
        gtk_scrolled_window_set_child(OpaquePointer(scroller), view)
        return scroller
    }

    private static func scrolled(_ widget: PlaybackStage.Widget) throws -> Double {
        let window: PlaybackStage.Widget = gtk_window_new()
        let topLevel = UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self)
        gtk_window_set_default_size(topLevel, 1000, 700)
        gtk_window_set_child(topLevel, widget)
        gtk_window_present(topLevel)
        defer { gtk_window_destroy(topLevel) }
        _ = ProcessorTime.ofMainLoop(seconds: 1)
        guard let scroller = find(in: widget), let clock = gtk_widget_get_frame_clock(window) else {
            fatalError("there is no list in the window")
        }
        let scroll = Scroll(gtk_scrolled_window_get_vadjustment(OpaquePointer(scroller)), clock)
        let handler = connect(UnsafeMutableRawPointer(clock), "update") { scroll.step() }
        gdk_frame_clock_begin_updating(clock)
        _ = ProcessorTime.ofMainLoop(seconds: 12)
        gdk_frame_clock_end_updating(clock)
        g_signal_handler_disconnect(UnsafeMutableRawPointer(clock), handler)
        let times = scroll.times.sorted()
        return times.isEmpty ? .infinity : times[times.count * 95 / 100]
    }

    private static func find(in widget: PlaybackStage.Widget) -> PlaybackStage.Widget? {
        if g_type_is_a(type(of: widget), gtk_scrolled_window_get_type()) != 0, gtk_widget_get_mapped(widget) != 0 {
            return widget
        }
        var child = gtk_widget_get_first_child(widget)
        while let current = child {
            if let found = find(in: current) { return found }
            child = gtk_widget_get_next_sibling(current)
        }
        return nil
    }

    private static func type(of widget: PlaybackStage.Widget) -> GType {
        UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GTypeInstance.self).pointee.g_class.pointee.g_type
    }

    /// Moves a list to its end and back, and measures the frames.
    private final class Scroll {
        private let adjustment: UnsafeMutablePointer<GtkAdjustment>?
        private let clock: OpaquePointer
        private var direction = 1.0
        private var last: (frame: gint64, spent: UInt64)?
        /// In milliseconds.
        private(set) var times: [Double] = []

        init(_ adjustment: UnsafeMutablePointer<GtkAdjustment>?, _ clock: OpaquePointer) {
            self.adjustment = adjustment
            self.clock = clock
        }

        func step() {
            let now = (frame: gdk_frame_clock_get_frame_time(clock), spent: MainThreadTime.threadTime)
            defer { last = now }
            guard let last else { return }
            times.append(Double(now.spent - last.spent) / 1e6)
            let points = direction * speed * Double(now.frame - last.frame) / 1e6
            let value = gtk_adjustment_get_value(adjustment) + points
            let end = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
            if value > end { direction = -1 }
            if value < 0 { direction = 1 }
            gtk_adjustment_set_value(adjustment, value)
        }
    }
}
