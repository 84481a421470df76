import CGtk4
import WebImage

/// Loads pictures into one of the two icons of a `GtkEntry` of the app.
///
/// While there is no picture, the entry shows the app's own icon.
///
/// ```swift
/// EntryIconView(entry, at: .primary).setImage(with: URL(string: "https://example.org/favicon.png"))
/// ```
/// A stateless value for use on the main thread while the widget lives.
@MainActor
public struct EntryIconView: WidgetView {
    /// The position of an icon in its entry.
    public nonisolated enum Position: Sendable, Hashable {
        /// Before the text.
        case primary
        /// After the text.
        case secondary
    }

    /// The widget.
    public let widget: UnsafeMutablePointer<GtkWidget>
    /// The position of this icon.
    package let position: Position

    /// The view of an icon of `widget`, which must be a `GtkEntry`.
    public init(_ widget: UnsafeMutablePointer<GtkWidget>, at position: Position) {
        self.widget = widget
        self.position = position
    }

    /// The view of an icon of an entry, for language bindings that have opaque pointers.
    public init(_ entry: OpaquePointer, at position: Position) {
        self.init(UnsafeMutableRawPointer(entry).assumingMemoryBound(to: GtkWidget.self), at: position)
    }

    /// The icon.
    public var slot: PictureSlot {
        let holder = EntryIconHolder(widget: widget, position: position)
        return PictureSlot(operationKey: holder.name, target: IconTarget(holder), naming: .icon(position))
    }
}
