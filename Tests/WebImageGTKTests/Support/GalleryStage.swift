import CGtk4
import FoundationEssentials
import WebImage

@testable import WebImageGTK
@testable import webimage_gallery

/// The gallery's grid of 240 pictures in a window in which 24 of them are seen.
@MainActor
final class GalleryStage {
    let window = TestWindow.make()
    let grid: PictureGrid

    private static let width = 1260

    init(manager: WebImageManager, url: (Int) -> URL) {
        GalleryStyle.install()
        _ = window.classes("gallery")
        var context = WebImageContext()
        context.manager = manager
        grid = PictureGrid(width: Self.width, context: context) { _ in }
        gtk_window_set_default_size(window.of(GtkWindow.self), Int32(Self.width), 840)
        gtk_window_set_child(window.of(GtkWindow.self), grid.widget)
        WindowLoads.around(grid.widget)?.patience = .seconds(3600)
        gtk_window_present(window.of(GtkWindow.self))
        grid.show((0..<240).map { GalleryItem(url: url($0), number: $0) })
    }

    var bound: [PictureCell] { grid.liveCells.filter(\.isBound) }

    /// The pictures whose cells are mapped within the visible part.
    var seenItems: [Int] {
        bound.filter { cell in
            var bounds = graphene_rect_t()
            guard cell.isMapped, gtk_widget_compute_bounds(cell.view.widget, grid.widget, &bounds) != 0 else {
                return false
            }
            return bounds.origin.y + bounds.size.height > 0
                && bounds.origin.y < Float(gtk_widget_get_height(grid.widget))
        }.map(\.number).sorted()
    }

    var shown: [Int] { bound.filter(\.hasPicture).map(\.number).sorted() }

    func close() { gtk_window_destroy(window.of(GtkWindow.self)) }
}
