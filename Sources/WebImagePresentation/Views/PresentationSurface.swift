import WebImageCore

/// The display of a ``ViewCoordinator``: one widget of a toolkit, or a test double.
@MainActor
package protocol PresentationSurface: AnyObject, SendableMetatype {
    /// The toolkit's view: one picture of the widget.
    associatedtype View
    associatedtype Admission: LoadAdmitting<View> = AlwaysAdmitting<View>

    /// The picture of a view; nil for none, and for content that ``show(_:as:in:)`` did not set.
    func image(in view: View) -> Image?

    /// Shows `image`, or nothing, at once.
    func show(_ image: Image?, as role: PictureRole, in view: View)

    /// Shows a picture by a transition: records the current content, calls the first two steps at once, and animates
    /// between the two.
    ///
    /// - Parameter image: The picture that ``TransitionSteps/set`` will show.
    func transition(
        _ transition: WebImageTransition<View>, to image: Image, in view: View, steps: TransitionSteps)

    /// The completion of a load has returned: the former content of the view is not needed any more.
    func settle(_ view: View)

    /// Whether the widget may be visible, as far as the toolkit knows.
    var isSeen: Bool { get }

    /// Says when loads may begin.
    var admission: Admission { get }

    /// The picture of a place; nil for none.
    func image(at place: ViewLoadKey) -> Image?

    /// The decode size for a sharp picture; nil for a place that decodes at the file's size, or has no size.
    func decodeBox(at place: ViewLoadKey) -> DecodeBox?

    /// Releases the picture of an invisible place, and changes nothing else.
    func drop(_ place: ViewLoadKey)

    /// Shows `image`, or nothing, in place of a released picture until it is restored.
    func standIn(_ image: Image?, at place: ViewLoadKey)

    /// Shows another decode of a place's current or released picture.
    func replace(by image: Image, at place: ViewLoadKey)

    /// Sets the status of the loads of the whole widget.
    func setStatus(_ status: ViewLoadStatus)

    /// Shows the indicator, if there is one.
    func startIndicator()
    /// Hides it.
    func stopIndicator()
    /// Updates the indicator's progress, from 0 to 1.
    func updateIndicator(_ progress: Double)
}

/// The steps of a transition; the surface calls them in this order.
package struct TransitionSteps {
    /// Sets the picture on the view.
    package let set: @MainActor () -> Void
    /// Makes the app's own changes; ``TransitionContext/current`` must describe their animation.
    package let animate: @MainActor () -> Void
    /// Called once when the transition is over; before ``PresentationSurface/transition(_:to:in:steps:)`` returns if it
    /// would be invisible. `finished` is false when another picture interrupted it. Need not be called when the widget
    /// is being destroyed.
    package let ended: @MainActor (_ finished: Bool) -> Void
}

/// The role of a picture in its load.
public enum PictureRole: Sendable, Hashable {
    /// Not the requested picture: a placeholder, an error picture, or nothing.
    case placeholder
    /// A partial picture, or the cached one while it is refreshed.
    case preliminary
    /// The picture.
    case final
    /// The complete picture, after the same load has shown a preliminary one.
    case completed
    /// The picture instead of a placeholder that was never shown, because the picture was in memory: the former content
    /// of the view belongs to another load.
    case immediate
}
