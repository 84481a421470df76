import CGtk4
import FoundationEssentials
import WebImage

/// Loads pictures into a `GtkButton`, `GtkToggleButton` or `GtkMenuButton` of the app, for each of its states.
///
/// ```swift
/// let button = ButtonView(gtk_button_new_with_label("Ada"))
/// button.setImage(with: URL(string: "https://example.org/ada.jpg"))
/// button.setImage(with: URL(string: "https://example.org/ada-waving.jpg"), for: .prelight)
/// ```
/// The first `GtkPicture` or `GtkImage` within the button shows the picture. A button without either gets a
/// `GtkPicture` if it has no child, and otherwise a `GtkImage` beside its label; it replaces a menu button's default
/// arrow. A `GtkImage` shows a picture at icon size; ``fixedSize`` gives a picture any other.
///
/// The background lies behind, covers the button's content area, and never enlarges the button.
///
/// A stateless value for use on the main thread while the widget lives. The calls that all views have apply to the
/// picture of the normal state.
@MainActor
public struct ButtonView: WidgetView {
    /// The widget.
    public let widget: UnsafeMutablePointer<GtkWidget>
    private let place: ButtonPlace

    /// Whether this is the view of a background.
    var isBackground: Bool { if case .background = place { true } else { false } }

    /// The view of `widget`, which must be a `GtkButton`, of a class derived from it, or a `GtkMenuButton`.
    public init(_ widget: UnsafeMutablePointer<GtkWidget>) { self.init(widget, .image(.normal)) }

    /// The view of a button for language bindings that have opaque pointers.
    public init(_ button: OpaquePointer) {
        self.init(UnsafeMutableRawPointer(button).assumingMemoryBound(to: GtkWidget.self))
    }

    private init(_ widget: UnsafeMutablePointer<GtkWidget>, _ place: ButtonPlace) {
        self.widget = widget
        self.place = place
    }

    /// One of the button's pictures.
    public var slot: PictureSlot {
        let contents = ButtonContents.of(widget)
        let pictures = isBackground ? contents.backgrounds : contents.images
        return PictureSlot(
            operationKey: place.key, target: SwitchTarget(widget: widget, key: place.key, pictures: pictures),
            naming: place == .image(.normal) ? .button : .nothing, usualKey: ViewLoadKey(place.usual.key))
    }

    // MARK: Places

    /// The picture for `state`, as a view of its own.
    public func imageView(for state: ButtonState) -> ButtonView { ButtonView(widget, .image(state)) }

    /// The background for `state`, as a view of its own.
    public func backgroundView(for state: ButtonState) -> ButtonView { ButtonView(widget, .background(state)) }

    /// The alternate picture of a toggle button, as a view of its own.
    ///
    /// A checked button shows it where it has no picture for a state with ``ButtonState/checked``.
    public var alternateView: ButtonView { ButtonView(widget, .alternateImage) }

    /// The current state of the button.
    public var state: ButtonState { ButtonContents.of(widget).state }

    /// The widget within the button that shows its pictures, created at first use. It stays until the app gives the
    /// button another child.
    public var imageWidget: UnsafeMutablePointer<GtkWidget>? {
        ButtonContents.of(widget).imageWidget(isNeeded: true)
    }

    /// The `GtkPicture` that shows the backgrounds, created at first use. It stretches them, unless ``contentFit`` of a
    /// background's view says otherwise.
    public var backgroundWidget: UnsafeMutablePointer<GtkWidget>? {
        ButtonContents.of(widget).backgroundWidget(isNeeded: true)
    }
}
