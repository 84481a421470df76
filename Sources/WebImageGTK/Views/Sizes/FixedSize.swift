import CGtk4
import WebImage

/// The size that the app has fixed for a widget that shows a picture. The widget owns this object.
///
/// GTK's size request is a minimum: a picture asks for the size of its file beyond that, and a container stretches it. So
/// ``FixedSizeLayout`` measures the widget, and an alignment other than `fill` keeps containers from stretching it.
final class FixedSize {
    private let widget: UnsafeMutablePointer<GtkWidget>
    /// In points; nil for a side that the container and the picture determine.
    private var width: Int32?
    private var height: Int32?
    /// The former alignment on each axis where this object has changed it.
    private var aligned: [UInt32: GtkAlign] = [:]

    /// The side of the largest window, in points.
    static let longestSide: Int32 = 32_767

    private static let key = "webimage-fixed-size"

    /// The fixed size of `widget`; nil when it never had any.
    static func find(_ widget: UnsafeMutablePointer<GtkWidget>) -> FixedSize? {
        AssociatedObject.find(key, on: widget)
    }

    /// Fixes the size of a `GtkPicture` or a `GtkImage`; nil lets it go.
    static func set(_ size: PointSize?, of widget: UnsafeMutablePointer<GtkWidget>) {
        if let fixed = find(widget) { return fixed.change(to: size) }
        guard size != nil else { return }
        AssociatedObject.of(key, on: widget) { FixedSize(widget) }.change(to: size)
    }

    private init(_ widget: UnsafeMutablePointer<GtkWidget>) {
        self.widget = widget
        // An indicator replaces the layout manager for its time.
        connect(UnsafeMutableRawPointer(widget), "notify::layout-manager") { [weak self] in self?.installLayout() }
    }

    /// 0 for a side that is not fixed; nil when neither is.
    var size: PointSize? {
        width == nil && height == nil ? nil : PointSize(width: Double(width ?? 0), height: Double(height ?? 0))
    }

    /// The length along one axis; nil where it is not fixed.
    func length(_ orientation: GtkOrientation) -> Int32? {
        orientation == GTK_ORIENTATION_HORIZONTAL ? width : height
    }

    /// The extent with the fixed sides; a side that is not fixed is that of the widget's class.
    func extent(_ orientation: GtkOrientation, forSize: Int32) -> WidgetExtent {
        if let length = length(orientation) { return WidgetExtent(minimum: length, natural: length) }
        return widget.ownExtent(orientation, forSize: length(orientation.other) ?? forSize)
    }

    private func change(to size: PointSize?) {
        let (width, height) = (size.flatMap { Self.side($0.width) }, size.flatMap { Self.side($0.height) })
        guard (width, height) != (self.width, self.height) else { return }
        (self.width, self.height) = (width, height)
        align(GTK_ORIENTATION_HORIZONTAL)
        align(GTK_ORIENTATION_VERTICAL)
        installLayout()
        gtk_widget_queue_resize(widget)
    }

    private func installLayout() {
        // A layout manager of the app's has its own idea of the size.
        guard size != nil, gtk_widget_in_destruction(widget) == 0, gtk_widget_get_layout_manager(widget) == nil else {
            return
        }
        gtk_widget_set_layout_manager(widget, FixedSizeLayout.make())
    }

    /// An alignment that the app has chosen stays, except that to the baseline: a widget without a baseline is stretched
    /// then.
    private func align(_ orientation: GtkOrientation) {
        let isFixed = length(orientation) != nil
        let current = widget.alignment(orientation)
        if isFixed, current == GTK_ALIGN_FILL || current == GTK_ALIGN_BASELINE {
            aligned[orientation.rawValue] = current
            widget.setAlignment(GTK_ALIGN_CENTER, orientation)
        } else if !isFixed, let former = aligned.removeValue(forKey: orientation.rawValue),
            current == GTK_ALIGN_CENTER
        {
            widget.setAlignment(former, orientation)
        }
    }

    /// nil for a length that is not positive, NaN included.
    private static func side(_ length: Double) -> Int32? {
        length > 0 ? Int32(max(1, min(length, Double(longestSide)).rounded())) : nil
    }
}

extension GtkOrientation {
    fileprivate var other: GtkOrientation {
        self == GTK_ORIENTATION_HORIZONTAL ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL
    }
}

extension UnsafeMutablePointer<GtkWidget> {
    fileprivate func alignment(_ orientation: GtkOrientation) -> GtkAlign {
        orientation == GTK_ORIENTATION_HORIZONTAL ? gtk_widget_get_halign(self) : gtk_widget_get_valign(self)
    }

    fileprivate func setAlignment(_ alignment: GtkAlign, _ orientation: GtkOrientation) {
        if orientation == GTK_ORIENTATION_HORIZONTAL {
            gtk_widget_set_halign(self, alignment)
        } else {
            gtk_widget_set_valign(self, alignment)
        }
    }
}
