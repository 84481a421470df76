import CGtk4

/// Where an indicator lies within its view, along one axis.
struct IndicatorPlacement: Equatable {
    /// How long an indicator wants to be, and where.
    struct Wish {
        var minimum: Int32
        var natural: Int32
        var alignment = GTK_ALIGN_FILL
        var expands = false
        /// How long it gets at most, where it expands.
        var limit = Int32.max
    }

    /// From the view's edge; negative where the indicator is longer than the view.
    let origin: Int32
    let length: Int32

    /// All of the view for what has no size, what expands and what GTK itself aligns; for all else the middle. Never less
    /// than it needs: what is longer than the view hangs over on both sides.
    init(_ wish: Wish, within length: Int32) {
        let room = max(length, wish.minimum)
        let isFilling = wish.natural == 0 || wish.expands || wish.alignment != GTK_ALIGN_FILL
        self.length = min(room, isFilling ? wish.limit : wish.natural)
        origin = (length - self.length) / 2
    }
}

extension UnsafeMutablePointer<GtkWidget> {
    /// Where the widget, as an indicator, lies in a view of that size.
    func indicatorFrame(width: Int32, height: Int32) -> GdkRectangle {
        let across = IndicatorPlacement(indicatorWish(GTK_ORIENTATION_HORIZONTAL, forSize: -1), within: width)
        let down = IndicatorPlacement(
            indicatorWish(GTK_ORIENTATION_VERTICAL, forSize: across.length), within: height)
        return GdkRectangle(x: across.origin, y: down.origin, width: across.length, height: down.length)
    }

    private func indicatorWish(_ orientation: GtkOrientation, forSize: Int32) -> IndicatorPlacement.Wish {
        let isHorizontal = orientation == GTK_ORIENTATION_HORIZONTAL
        let extent = extent(orientation, forSize: forSize)
        return IndicatorPlacement.Wish(
            minimum: extent.minimum, natural: extent.natural,
            alignment: isHorizontal ? gtk_widget_get_halign(self) : gtk_widget_get_valign(self),
            expands: (isHorizontal ? gtk_widget_get_hexpand(self) : gtk_widget_get_vexpand(self)) != 0,
            limit: isHorizontal ? indicatorWidthLimit : .max)
    }

    /// How wide the widget gets at most, as an indicator that expands. GTK knows nothing of the kind.
    var indicatorWidthLimit: Int32 {
        get {
            let limit = g_object_get_data(object, "webimage-indicator-width")
            return limit.map { Int32(truncatingIfNeeded: Int(bitPattern: $0)) } ?? .max
        }
        nonmutating set {
            g_object_set_data(object, "webimage-indicator-width", gpointer(bitPattern: Int(newValue)))
        }
    }
}
