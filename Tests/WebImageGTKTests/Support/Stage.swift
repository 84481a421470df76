import CGtk4
import WebImage

@testable import WebImageGTK

/// A window with a row of pictures on the screen, and a clock for their animations that the test moves.
@MainActor
final class Stage {
    let window: UnsafeMutablePointer<GtkWidget>
    private(set) var widgets: [UnsafeMutablePointer<GtkWidget>] = []
    private var kept: [AnyObject] = []
    private let row: UnsafeMutablePointer<GtkWidget>

    /// The animations' time in microseconds.
    var time: Int64 = 1_000_000
    /// The number of times that an animation has read the time.
    private(set) var ticks = 0

    init(pictures count: Int = 1) {
        window = TestWindow.make()
        row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
        gtk_window_set_child(window.of(GtkWindow.self), row)
        for _ in 0..<count { addPicture() }
    }

    var view: PictureView { PictureView(widgets[0]) }

    /// Any widget.
    func add(_ widget: UnsafeMutablePointer<GtkWidget>) {
        gtk_box_append(row.of(GtkBox.self), widget)
        widgets.append(widget)
    }

    /// A picture of 64 × 64 units.
    @discardableResult
    func addPicture() -> UnsafeMutablePointer<GtkWidget> {
        let widget: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
        gtk_widget_set_size_request(widget, 64, 64)
        add(widget)
        Coordinator.of(widget).display.time = { [weak self] _ in
            self?.ticks += 1
            return self?.time ?? 0
        }
        return widget
    }

    /// Retains `object` as long as the stage, in place of an owner that the widgets own.
    func keep(_ object: AnyObject) { kept.append(object) }

    func show() { gtk_window_present(window.of(GtkWindow.self)) }

    /// Whether the first picture has a place in the window, which it gets a moment after it is mapped.
    var isOnScreen: Bool { gtk_widget_get_mapped(widgets[0]) != 0 && gtk_widget_get_width(widgets[0]) > 0 }

    func remove(_ widget: UnsafeMutablePointer<GtkWidget>) { gtk_box_remove(row.of(GtkBox.self), widget) }

    /// Puts a removed widget back.
    func putBack(_ widget: UnsafeMutablePointer<GtkWidget>) { gtk_box_append(row.of(GtkBox.self), widget) }

    /// Changes the desktop's setting for animations.
    func setAnimations(enabled: Bool) {
        guard let settings = gtk_widget_get_settings(window) else { return }
        var value = GValue()
        g_value_init(&value, GType(5 << 2))  // G_TYPE_BOOLEAN, a macro that Swift does not import
        g_value_set_boolean(&value, enabled ? 1 : 0)
        let object = UnsafeMutableRawPointer(settings).assumingMemoryBound(to: GObject.self)
        g_object_set_property(object, "gtk-enable-animations", &value)
        g_value_unset(&value)
    }

    func close() { gtk_window_destroy(window.of(GtkWindow.self)) }

    /// The colour in the centre of the first picture's drawing.
    var colour: Colour {
        guard let paintable = gtk_picture_get_paintable(OpaquePointer(widgets[0])) else { return .clear }
        return Rendering(paintable, width: 8, height: 8).colour(x: 4, y: 4)
    }
}

extension UnsafeMutablePointer<GtkWidget> {
    /// The same object, typed as another of its classes.
    func of<Instance>(_ type: Instance.Type) -> UnsafeMutablePointer<Instance> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: type)
    }
}

extension Coordinator {
    /// The display of a `GtkPicture`.
    @MainActor var display: PaintableDisplay {
        guard let display = surface.display(of: PictureView(surface.widget)) else {
            preconditionFailure("not a GtkPicture")
        }
        return display
    }
}
