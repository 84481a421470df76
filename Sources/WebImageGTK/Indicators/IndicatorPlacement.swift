import CGtk4

/// The place of an indicator within its view, along one axis.
struct IndicatorPlacement: Equatable {
    /// The size and alignment that an indicator asks for.
    struct Wish {
        var minimum: Int32
        var natural: Int32
        var alignment = GTK_ALIGN_FILL
        var expands = false
        /// The maximum length of an indicator that expands.
        var limit = Int32.max
    }

    /// The offset from the view's edge; negative where the indicator is longer than the view.
    let origin: Int32
    let length: Int32

    /// An indicator fills the view when it has no size, expands, or is aligned by GTK; otherwise it is centred. It
    /// never gets less than its minimum: an indicator longer than the view overhangs on both sides.
    init(_ wish: Wish, within length: Int32) {
        let room = max(length, wish.minimum)
        let isFilling = wish.natural == 0 || wish.expands || wish.alignment != GTK_ALIGN_FILL
        self.length = min(room, isFilling ? wish.limit : wish.natural)
        origin = (length - self.length) / 2
    }
}

extension UnsafeMutablePointer<GtkWidget> {
    /// The indicator's frame in a view of that size.
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

    /// The maximum width of an indicator that expands; GTK has no such property.
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
