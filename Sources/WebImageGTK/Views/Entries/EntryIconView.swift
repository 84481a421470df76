import CGtk4
import WebImage

/// Loads pictures into one of the two icons of a `GtkEntry` that the app already has.
///
/// While there is no picture to show, the icon is the one that the app has given it.
///
/// ```swift
/// EntryIconView(entry, at: .primary).setImage(with: URL(string: "https://example.org/favicon.png"))
/// ```
/// A value without state of its own, for use on the main thread while the widget lives.
@MainActor
public struct EntryIconView: WidgetView {
    /// Where in the entry an icon is.
    public nonisolated enum Position: Sendable, Hashable {
        /// Before the text.
        case primary
        /// After the text.
        case secondary
    }

    /// The widget.
    public let widget: UnsafeMutablePointer<GtkWidget>
    /// Which of the icons it is.
    public let position: Position

    /// The view of an icon of `widget`, which must be a `GtkEntry`.
    public init(_ widget: UnsafeMutablePointer<GtkWidget>, at position: Position) {
        self.widget = widget
        self.position = position
    }

    /// The view of an icon of an entry of which bindings hand out an opaque pointer.
    public init(_ entry: OpaquePointer, at position: Position) {
        self.init(UnsafeMutableRawPointer(entry).assumingMemoryBound(to: GtkWidget.self), at: position)
    }

    /// The icon.
    public var slot: PictureSlot {
        let holder = EntryIconHolder(widget: widget, position: position)
        return PictureSlot(operationKey: holder.name, target: IconTarget(holder), naming: .icon(position))
    }
}
