import CGtk4
import FoundationEssentials
import WebImage

/// Loads pictures into a `GtkButton`, a `GtkToggleButton` or a `GtkMenuButton` that the app already has, for each of its
/// states.
///
/// ```swift
/// let button = ButtonView(gtk_button_new_with_label("Ada"))
/// button.setImage(with: URL(string: "https://example.org/ada.jpg"))
/// button.setImage(with: URL(string: "https://example.org/ada-waving.jpg"), for: .prelight)
/// ```
/// The picture is shown by the first `GtkPicture` or `GtkImage` that the button has within. A button without any gets a
/// `GtkPicture` as its child if it has none, and else a `GtkImage` beside the label that is there; a menu button's own arrow
/// makes room. A picture in a `GtkImage` has the size of an icon, or the `pixel-size` that ``imageWidget`` is given.
///
/// The background lies behind that, over all of the button's content area, and never makes the button larger.
///
/// A value without state of its own, for use on the main thread while the widget lives. The calls that every view has
/// mean the picture of the normal state.
@MainActor
public struct ButtonView: WidgetView {
    /// The widget.
    public let widget: UnsafeMutablePointer<GtkWidget>
    private let place: ButtonPlace

    /// The view of `widget`, which must be a `GtkButton`, of a class derived from it, or a `GtkMenuButton`.
    public init(_ widget: UnsafeMutablePointer<GtkWidget>) { self.init(widget, .image(.normal)) }

    /// The view of a button of which bindings hand out an opaque pointer.
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
        let pictures = if case .background = place { contents.backgrounds } else { contents.images }
        return PictureSlot(
            operationKey: place.key, target: SwitchTarget(widget: widget, key: place.key, pictures: pictures),
            naming: place == .image(.normal) ? .button : .nothing, usualKey: ViewLoadKey(place.usual.key))
    }

    // MARK: Places

    /// The picture for `state`, with all calls that a view has.
    public func imageView(for state: ButtonState) -> ButtonView { ButtonView(widget, .image(state)) }

    /// The background for `state`, with all calls that a view has.
    public func backgroundView(for state: ButtonState) -> ButtonView { ButtonView(widget, .background(state)) }

    /// The alternate picture of a toggle button, with all calls that a view has.
    ///
    /// A checked button shows it where it has no picture for a state with ``ButtonState/checked``.
    public var alternateView: ButtonView { ButtonView(widget, .alternateImage) }

    /// What happens to the button now.
    public var state: ButtonState { ButtonContents.of(widget).state }

    /// The widget within the button that shows its pictures, made when first asked for. It stays as long as the app
    /// gives the button no other child.
    public var imageWidget: UnsafeMutablePointer<GtkWidget>? {
        ButtonContents.of(widget).imageWidget(isNeeded: true)
    }

    /// The `GtkPicture` that shows the backgrounds, made when first asked for. It stretches them; its `content-fit` may be
    /// changed.
    public var backgroundWidget: UnsafeMutablePointer<GtkWidget>? {
        ButtonContents.of(widget).backgroundWidget(isNeeded: true)
    }
}
