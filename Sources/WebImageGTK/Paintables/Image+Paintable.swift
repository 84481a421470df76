import CGtk4
import WebImage

extension Image {
    /// The current content of a `GdkPaintable`. Main thread; GTK must be initialised, a display is not needed.
    ///
    /// - Parameters:
    ///   - paintable: A `GdkPaintable`; it is not retained, and later changes are not followed.
    ///   - size: In points; at most 8192 pixels a side.
    ///   - scale: Pixels per point, as `gtk_widget_get_scale_factor` says.
    /// - Returns: nil for an invalid or too large size, and when there is no memory for it.
    public convenience init?(paintable: OpaquePointer, size: PointSize, scale: Double = 1) {
        guard size.isDrawable, scale.isFinite, scale > 0 else { return nil }
        let bitmap = Bitmap.drawn(size: size, scale: scale) {
            $0.draw(PaintableHandle(retaining: paintable), in: PointRect(x: 0, y: 0, size: size))
        }
        guard let bitmap else { return nil }
        self.init(bitmap: bitmap, scale: scale)
    }

    /// An icon of the desktop's theme, for placeholders and error pictures. Main thread.
    ///
    /// A view draws it in the colours of its own style, whenever it is shown and when its style changes: a widget may
    /// make its icon before it is in a window. Where the icon's pixels are used elsewhere, as by ``makeTexture()``, a
    /// symbolic icon has the text colour that `widget` had when it was made, which is white before it is in a window.
    /// Views never enlarge an icon beyond `size`: see ``WidgetView/placeholderContentFit``.
    ///
    /// ```swift
    /// let missing = Image(iconNamed: "image-missing-symbolic", size: 48, for: picture)
    /// ```
    /// - Parameters:
    ///   - name: As in the freedesktop icon naming specification.
    ///   - size: The length of its sides, in points.
    ///   - widget: A `GtkWidget` that gives the display, the scale and the text direction.
    /// - Returns: nil when the theme has no such icon, and for an invalid or too large size.
    public convenience init?(iconNamed name: String, size: Double, for widget: UnsafeMutablePointer<GtkWidget>) {
        let theme = gtk_icon_theme_get_for_display(gtk_widget_get_display(widget))
        let scale = gtk_widget_get_scale_factor(widget)
        guard (1...8192).contains(size), gtk_icon_theme_has_icon(theme, name) != 0,
            let icon = gtk_icon_theme_lookup_icon(
                theme, name, nil, Int32(size.rounded(.up)), scale, gtk_widget_get_direction(widget),
                GtkIconLookupFlags(rawValue: 0))
        else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(icon)) }
        var color = GdkRGBA()
        gtk_style_context_get_color(gtk_widget_get_style_context(widget), &color)
        let bitmap = Bitmap.drawn(size: PointSize(width: size, height: size), scale: Double(scale)) {
            gtk_symbolic_paintable_snapshot_symbolic(icon, $0.pointer, size, size, &color, 1)
        }
        guard let bitmap else { return nil }
        self.init(bitmap: bitmap, scale: Double(scale), appearance: .icon(NamedIcon(name: name)))
    }
}

extension PointSize {
    /// Whether both sides are finite and positive, and within the limits of renderers.
    fileprivate var isDrawable: Bool {
        let range = 1.0 / 64...Double(TextureSlices.maximumSide)
        return range.contains(width) && range.contains(height)
    }
}
