import CGtk4

@testable import WebImageGTK

/// Lays a container out as a square of 64 points, regardless of its child, and counts GTK's measurements, which happen
/// only after a part of it has requested a layout.
@MainActor
enum SquareLayout {
    static var measureCount = 0

    static func install(on container: UnsafeMutablePointer<GtkWidget>) {
        let layout = gtk_custom_layout_new(
            { _ in GTK_SIZE_REQUEST_CONSTANT_SIZE },
            { _, _, _, minimum, natural, _, _ in
                SquareLayout.measureCount += 1
                minimum?.pointee = 64
                natural?.pointee = 64
            },
            { widget, _, _, baseline in
                guard let child = gtk_widget_get_first_child(widget) else { return }
                // GTK warns about children that were not measured.
                _ = child.extent(GTK_ORIENTATION_HORIZONTAL)
                gtk_widget_allocate(child, 64, 64, baseline, nil)
            })
        gtk_widget_set_layout_manager(container, layout)
    }
}
