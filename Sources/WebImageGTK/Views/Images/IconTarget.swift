import CGtk4
import WebImage

/// Shows pictures in place of an icon; the icon returns when there is no picture.
struct IconTarget: PaintableTarget {
    private let holder: any IconHolder

    init(_ holder: any IconHolder) { self.holder = holder }

    var widget: UnsafeMutablePointer<GtkWidget> { holder.widget }

    var drawingWidget: UnsafeMutablePointer<GtkWidget> { holder.drawingWidget }

    var paintable: OpaquePointer? {
        get { OverlaidContent.uncovered(holder.icon.paintable) }
        nonmutating set {
            let memory = IconMemory.of(holder)
            if let newValue { memory.show(newValue, in: holder) } else { memory.restore(holder) }
        }
    }

    func drawIcon(_ snapshot: OpaquePointer, width: Double, height: Double, side: Double) {
        IconMemory.of(holder).icon.draw(snapshot, width: width, height: height, side: side, like: widget)
    }

    let contentFit = ContentFit.contain

    var fixedSize: PointSize? { FixedSize.find(widget)?.size }

    var viewport: Viewport {
        Viewport(size: holder.size, fit: contentFit, scale: Double(gtk_widget_get_scale_factor(widget)))
    }
}

/// The app's own icon of a widget, kept while a picture replaces it.
private final class IconMemory {
    private(set) var icon = Icon.none
    private var shown: PaintableHandle?

    static func of(_ holder: any IconHolder) -> IconMemory {
        AssociatedObject.of("webimage-icon-\(holder.name)", on: holder.widget) { IconMemory() }
    }

    func show(_ paintable: OpaquePointer, in holder: any IconHolder) {
        let current = holder.icon
        if !isOurs(current) { icon = current }
        let handle = PaintableHandle(retaining: paintable)
        shown = handle
        holder.icon = .paintable(handle)
    }

    /// An icon that the app has set since stays.
    func restore(_ holder: any IconHolder) {
        defer { shown = nil }
        if isOurs(holder.icon) { holder.icon = icon }
    }

    private func isOurs(_ icon: Icon) -> Bool { shown != nil && icon.paintable == shown?.pointer }
}
