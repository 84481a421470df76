import CGtk4

/// Lays a widget out as before, and an indicator over it: a `GtkLayoutManager` whose class is registered with GObject
/// at first use.
///
/// A widget whose class has its own layout is asked for it. For a widget that uses a `GtkBinLayout`, ``ContentLayout``
/// does the same without the indicator, because the indicator must not enlarge its view.
enum IndicatorLayout {
    typealias Instance = UnsafeMutablePointer<WebImageIndicatorLayout>
    typealias Manager = UnsafeMutablePointer<GtkLayoutManager>
    typealias Widget = UnsafeMutablePointer<GtkWidget>

    /// A new layout manager with one reference, which `gtk_widget_set_layout_manager` takes.
    static func make(for indicator: Widget) -> Instance {
        let object: UnsafeMutablePointer<GObject> = g_object_new_with_properties(type, 0, nil, nil)
        let layout = UnsafeMutableRawPointer(object).assumingMemoryBound(to: WebImageIndicatorLayout.self)
        layout.pointee.indicator = indicator
        layout.pointee.blank = notBlank
        return layout
    }

    /// In place of the requisition of an empty widget: the widget shows something and is measured as usual.
    static let notBlank = GtkRequisition(width: -1, height: -1)

    private static let type: GType = g_type_register_static_simple(
        gtk_layout_manager_get_type(), "WebImageIndicatorLayout",
        guint(MemoryLayout<WebImageIndicatorLayoutClass>.size),
        { classPointer, _ in IndicatorLayout.initializeClass(classPointer) },
        guint(MemoryLayout<WebImageIndicatorLayout>.size), { _, _ in }, G_TYPE_FLAG_FINAL)

    /// The default request mode of layout managers: the mode of most children.
    private static var usualRequestMode: (@convention(c) (Manager?, Widget?) -> GtkSizeRequestMode)?

    private static func initializeClass(_ classPointer: gpointer?) {
        guard let methods = classPointer?.assumingMemoryBound(to: GtkLayoutManagerClass.self) else { return }
        usualRequestMode = methods.pointee.get_request_mode
        methods.pointee.get_request_mode = { layout, widget in
            guard let widget, FixedSize.find(widget)?.size == nil else { return GTK_SIZE_REQUEST_CONSTANT_SIZE }
            let mode =
                widget.measuresItself
                ? widget.methods?.pointee.get_request_mode?(widget)
                : IndicatorLayout.usualRequestMode?(layout, widget)
            return mode ?? GTK_SIZE_REQUEST_CONSTANT_SIZE
        }
        methods.pointee.measure = { layout, widget, orientation, forSize, minimum, natural, ascent, naturalAscent in
            guard let layout, let widget else { return }
            let extent = IndicatorLayout.measure(IndicatorLayout.instance(layout), widget, orientation, forSize)
            minimum?.pointee = extent.minimum
            natural?.pointee = extent.natural
            ascent?.pointee = extent.minimumBaseline
            naturalAscent?.pointee = extent.naturalBaseline
        }
        methods.pointee.allocate = { layout, widget, width, height, baseline in
            guard let layout, let widget else { return }
            IndicatorLayout.allocate(IndicatorLayout.instance(layout), widget, width, height, baseline)
        }
    }

    private static func instance(_ manager: Manager) -> Instance {
        UnsafeMutableRawPointer(manager).assumingMemoryBound(to: WebImageIndicatorLayout.self)
    }

    private static func measure(
        _ layout: Instance, _ widget: Widget, _ orientation: GtkOrientation, _ forSize: Int32
    ) -> WidgetExtent {
        let (blank, fixed) = (layout.pointee.blank, FixedSize.find(widget))
        if fixed?.length(orientation) != nil, let fixed { return fixed.extent(orientation, forSize: forSize) }
        if blank.width >= 0 {
            let size = orientation == GTK_ORIENTATION_HORIZONTAL ? blank.width : blank.height
            return WidgetExtent(minimum: size, natural: size)
        }
        guard !widget.measuresItself else {
            return fixed?.extent(orientation, forSize: forSize) ?? widget.ownExtent(orientation, forSize: forSize)
        }
        return ContentLayout(of: widget, without: layout.pointee.indicator).extent(orientation, forSize: forSize)
    }

    private static func allocate(
        _ layout: Instance, _ widget: Widget, _ width: Int32, _ height: Int32, _ baseline: Int32
    ) {
        if widget.measuresItself {
            widget.methods?.pointee.size_allocate?(widget, width, height, baseline)
        } else {
            ContentLayout(of: widget, without: layout.pointee.indicator)
                .allocate(width: width, height: height, baseline: baseline)
        }
        // The app may have moved the indicator to another parent.
        guard let indicator = layout.pointee.indicator, gtk_widget_get_parent(indicator) == widget,
            gtk_widget_should_layout(indicator) != 0
        else { return }
        var frame = indicator.indicatorFrame(width: width, height: height)
        gtk_widget_size_allocate(indicator, &frame, -1)
    }
}
