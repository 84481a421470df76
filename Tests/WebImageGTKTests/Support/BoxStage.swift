import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting

@testable import WebImageGTK

/// Pictures in a box, a list box or a flow box, which has a widget for each of them, in a scroller of 300 × 500 points.
@MainActor
final class BoxStage {
    typealias Widget = UnsafeMutablePointer<GtkWidget>

    enum Kind: CaseIterable {
        case box, listBox, flowBox
    }

    static let side: Int32 = 50

    let loader = SuspendedLoader()
    let cache = SuspendedCache()
    let manager: WebImageManager
    let window = TestWindow.make()
    let scroller: Widget = gtk_scrolled_window_new()
    private(set) var pictures: [Widget] = []
    private let box: Widget

    /// - Parameters:
    ///   - side: Of each picture, in points; nil leaves it to the picture.
    ///   - place: Puts the scroller into the window's child, which it returns.
    init(_ kind: Kind, count: Int = 100, side: Int32? = BoxStage.side, place: (Widget) -> Widget = { $0 }) {
        manager = WebImageManager(cache: cache, loader: loader, coder: PosterCoder())
        switch kind {
        case .box: box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        case .listBox: box = gtk_list_box_new()
        case .flowBox: box = gtk_flow_box_new()
        }
        gtk_window_set_default_size(window.of(GtkWindow.self), 300, 500)
        gtk_scrolled_window_set_child(OpaquePointer(scroller), box)
        gtk_scrolled_window_set_policy(OpaquePointer(scroller), GTK_POLICY_NEVER, GTK_POLICY_EXTERNAL)
        for _ in 0..<count { append(kind, side) }
        gtk_window_set_child(window.of(GtkWindow.self), place(scroller))
        loads.patience = .seconds(3600)
    }

    private func append(_ kind: Kind, _ side: Int32?) {
        let picture: Widget = gtk_picture_new()
        if let side { gtk_widget_set_size_request(picture, side, side) }
        switch kind {
        case .box: gtk_box_append(box.of(GtkBox.self), picture)
        case .listBox: gtk_list_box_append(OpaquePointer(box), picture)
        case .flowBox: gtk_flow_box_insert(OpaquePointer(box), picture, -1)
        }
        pictures.append(picture)
    }

    /// Loads a picture into each widget, the last one first.
    func bindAll(by loader: (any ImageLoader)? = nil) {
        for index in pictures.indices.reversed() { bind(index, by: loader) }
    }

    private func bind(_ index: Int, by loader: (any ImageLoader)?) {
        var context = WebImageContext()
        context.manager = manager
        context.loader = loader
        // The cache of the tests keeps thumbnails, and no files of other sizes.
        context.thumbnailPixelSize = PixelSize(width: 50, height: 50)
        PictureView(pictures[index]).setImage(with: URL(filePath: "/pictures/\(index)"), context: context)
    }

    func show() { gtk_window_present(window.of(GtkWindow.self)) }

    func close() { gtk_window_destroy(window.of(GtkWindow.self)) }

    func scroll(to position: Int) { gtk_adjustment_set_value(scroller.scrollAdjustments[1], Double(position)) }

    var loads: WindowLoads {
        guard let loads = WindowLoads.around(scroller) else { preconditionFailure("the scroller is in a window") }
        return loads
    }

    /// The numbers of the pictures that the loader was asked for, in order.
    var asked: [Int] { loader.loads.compactMap { Int($0.request.url.lastPathComponent) } }

    func finishAll() {
        for load in loader.loads where !load.isEnded && !load.isCancelled { load.finish(Colour.red.file) }
    }

    /// The pictures that lie within the visible part, if only with an edge.
    var seen: [Int] {
        guard gtk_widget_get_height(scroller) > 0 else { return [] }
        return pictures.indices.filter { index in
            var bounds = graphene_rect_t()
            guard gtk_widget_get_mapped(pictures[index]) != 0,
                gtk_widget_compute_bounds(pictures[index], scroller, &bounds) != 0
            else { return false }
            return bounds.origin.y + bounds.size.height > 0
                && bounds.origin.y < Float(gtk_widget_get_height(scroller))
        }
    }

    /// The pictures that are shown.
    var shown: [Int] { pictures.indices.filter { Coordinator.of(pictures[$0]).surface.image(at: .image) != nil } }
}
