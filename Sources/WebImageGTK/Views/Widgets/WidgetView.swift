import CGtk4
import FoundationEssentials
import WebImage

/// Loads pictures into a widget of the app.
///
/// Conforming types are stateless values: create one wherever it is needed, it always refers to the same place of the
/// same widget. The widget owns its loads: a load of another URL cancels them, and so does the destruction of the
/// widget. A late result is never shown. Use on the main thread only, as all of GTK, and only while the widget lives.
///
/// Any widget can have one, with pictures shown by the app:
///
/// ```swift
/// struct Portrait: WidgetView {
///     let widget: UnsafeMutablePointer<GtkWidget>
/// }
/// Portrait(widget: area).setImage(with: url, setImage: { image, _, _, _ in draw(image) })
/// ```
@MainActor
public protocol WidgetView {
    /// The widget.
    var widget: UnsafeMutablePointer<GtkWidget> { get }
    /// The place of the widget that shows the pictures; by default a place that the app fills.
    var slot: PictureSlot { get }
}

/// The transition of a widget's view to a loaded picture.
public typealias WidgetTransition = WebImageTransition<any WidgetView>

extension WidgetView {
    /// A place that the app fills, by `setImage` closures.
    public var slot: PictureSlot { PictureSlot() }

    /// The picture of the place; nil when it shows nothing, or content that was not set through this library. Setting
    /// it does not affect a running load. Reading a picture that was released while the widget was invisible looks it
    /// up in memory, and returns nil if it is no longer there.
    public var image: Image? {
        get {
            let coordinator = Coordinator.of(widget)
            return coordinator.surface.image(in: self) ?? coordinator.loads.upkeep.droppedImage(at: slot.key)
        }
        nonmutating set {
            let coordinator = Coordinator.of(widget)
            coordinator.loads.upkeep.forget(slot.key)
            coordinator.surface.setImage(newValue, in: self)
        }
    }

    /// The opacity of the picture, 0 to 1; 1 by default. A change shows at once, and is animated within a transition's
    /// `animations` if its options allow that. Does not apply to content that the app sets itself.
    public var alpha: Double {
        get { appearance.alpha }
        nonmutating set { appearance.alpha = newValue }
    }

    /// The rotation, scale and translation of the picture; identity by default. A change shows as one of ``alpha``
    /// does.
    public var transform: ViewTransform {
        get { appearance.transform }
        nonmutating set { appearance.transform = newValue }
    }

    private var appearance: ViewAppearance {
        get { display?.appearance ?? ViewAppearance() }
        nonmutating set { display?.appearance = newValue }
    }

    /// nil after the end of the widget.
    var display: PaintableDisplay? { Coordinator.of(widget).surface.display(of: self) }
}
