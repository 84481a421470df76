import CGtk4

extension Icon {
    /// Draws an icon of the desktop's theme as `widget` does, centred in the given room. Draws nothing for a picture,
    /// since widgets draw those themselves.
    ///
    /// - Parameter side: The maximum side, in points.
    func draw(
        _ snapshot: OpaquePointer, width: Double, height: Double, side: Double,
        like widget: UnsafeMutablePointer<GtkWidget>
    ) {
        let side = min(side, width, height)
        guard side >= 1, let icon = lookUp(Int32(side), for: widget) else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(icon)) }
        var corner = graphene_point_t(x: Float((width - side) / 2), y: Float((height - side) / 2))
        gtk_snapshot_save(snapshot)
        gtk_snapshot_translate(snapshot, &corner)
        let colors = SymbolicColors.of(widget)
        gtk_symbolic_paintable_snapshot_symbolic(icon, snapshot, side, side, colors, gsize(colors.count))
        gtk_snapshot_restore(snapshot)
    }

    /// The theme's paintable for the icon, with a reference that the caller owns; nil for content that is not from a
    /// theme.
    private func lookUp(_ side: Int32, for widget: UnsafeMutablePointer<GtkWidget>) -> OpaquePointer? {
        guard let display = gtk_widget_get_display(widget), let theme = gtk_icon_theme_get_for_display(display) else {
            return nil
        }
        let (scale, direction) = (gtk_widget_get_scale_factor(widget), gtk_widget_get_direction(widget))
        let usual = GtkIconLookupFlags(rawValue: 0)
        return switch self {
        case .named(let name): gtk_icon_theme_lookup_icon(theme, name, nil, side, scale, direction, usual)
        case .themed(let icon): gtk_icon_theme_lookup_by_gicon(theme, icon.pointer, side, scale, direction, usual)
        case .none, .paintable: nil
        }
    }
}

/// The colours of a widget's style for symbolic icons, in GTK's order.
private enum SymbolicColors {
    static func of(_ widget: UnsafeMutablePointer<GtkWidget>) -> [GdkRGBA] {
        let style = gtk_widget_get_style_context(widget)
        var color = GdkRGBA()
        gtk_style_context_get_color(style, &color)
        return [color]
            + ["error_color", "warning_color", "success_color"].map { name in
                var named = color
                return gtk_style_context_lookup_color(style, name, &named) != 0 ? named : color
            }
    }
}
