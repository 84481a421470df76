import CGtk4
import FoundationEssentials
import WebImage

/// Loads pictures into a widget that the app already has.
///
/// Conforming types are values without state of their own: make one wherever it is needed, it always means the same place
/// of the same widget. What is under way belongs to the widget: binding it to another URL, and destroying it, cancels
/// that. A result that comes too late is never shown. Use on the main thread only, as all of GTK, and only while the
/// widget lives.
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
    /// The place of the widget that pictures go to; by default one that the app fills.
    var slot: PictureSlot { get }
}

/// How a picture that a widget's view has loaded takes the place of what the widget showed.
public typealias WidgetTransition = WebImageTransition<any WidgetView>

extension WidgetView {
    /// A place that the app fills, by `setImage` closures.
    public var slot: PictureSlot { PictureSlot() }

    /// The picture that the place shows; nil when it shows nothing, or something that was not set here. Setting it
    /// changes nothing about a load under way. One that was let go, since nobody sees it, is looked for in memory, and nil
    /// if it is not there any more.
    public var image: Image? {
        get {
            let coordinator = Coordinator.of(widget)
            return coordinator.surface.image(in: self) ?? coordinator.loads.upkeep.droppedImage(at: slot.key)
        }
        nonmutating set {
            let coordinator = Coordinator.of(widget)
            coordinator.loads.upkeep.forget(slot.key)
            coordinator.surface.show(newValue, as: .placeholder, in: self)
        }
    }

    /// How much of the picture can be seen, 0 to 1; 1 by default. Changes at once; within a transition's `animations`
    /// gradually, where its options allow that. Without effect on what the app puts into the widget itself.
    public var alpha: Double {
        get { appearance.alpha }
        nonmutating set { appearance.alpha = newValue }
    }

    /// How the picture is turned, enlarged and moved from where it lies; not at all by default. Changes as ``alpha`` does.
    public var transform: ViewTransform {
        get { appearance.transform }
        nonmutating set { appearance.transform = newValue }
    }

    private var appearance: ViewAppearance {
        get { display?.appearance ?? ViewAppearance() }
        nonmutating set { display?.appearance = newValue }
    }

    /// nil when the widget is gone.
    var display: PaintableDisplay? { Coordinator.of(widget).surface.display(of: self) }
}
