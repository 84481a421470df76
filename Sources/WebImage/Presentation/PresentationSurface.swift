/// What a ``ViewCoordinator`` shows pictures on: one widget of a toolkit, or a test's double.
@MainActor
package protocol PresentationSurface: AnyObject, SendableMetatype {
    /// What the toolkit's views are called with: one of the widget's pictures.
    associatedtype View
    associatedtype Admission: LoadAdmitting<View> = AlwaysAdmitting<View>

    /// The picture that a view shows; nil for none, and for one that was not shown by ``show(_:as:in:)``.
    func image(in view: View) -> Image?

    /// Shows `image` at once, or nothing.
    func show(_ image: Image?, as role: PictureRole, in view: View)

    /// Lets a picture take its place gradually: remembers what is to be seen, runs the first two steps at once, and
    /// animates from the one to the other.
    ///
    /// - Parameter image: What ``TransitionSteps/set`` will show.
    func transition(
        _ transition: WebImageTransition<View>, to image: Image, in view: View, steps: TransitionSteps)

    /// The end of a load was told: nobody will ask any more what the view showed before.
    func settle(_ view: View)

    /// Whether somebody may see the widget, as far as the toolkit knows.
    var isSeen: Bool { get }

    /// Says when loads may begin.
    var admission: Admission { get }

    /// The picture that a place shows; nil for none.
    func image(at place: ViewLoadKey) -> Image?

    /// What a picture has to be decoded for to be sharp; nil for a place that takes pictures as they are, or has no size.
    func decodeBox(at place: ViewLoadKey) -> DecodeBox?

    /// Lets go of the picture that a place shows, which nobody sees, and leaves everything else as it is.
    func drop(_ place: ViewLoadKey)

    /// Shows `image`, or nothing, where the picture that a place has let go was: as long as that is not back.
    func standIn(_ image: Image?, at place: ViewLoadKey)

    /// Shows another decode of the picture that a place shows or has let go.
    func replace(by image: Image, at place: ViewLoadKey)

    /// Says of the whole widget what its loads do.
    func setStatus(_ status: ViewLoadStatus)

    /// Shows the indicator, if there is one.
    func startIndicator()
    /// Hides it.
    func stopIndicator()
    /// Lets it show how much has come, from 0 to 1.
    func updateIndicator(_ progress: Double)
}

/// What a surface calls in the course of a transition, in this order.
package struct TransitionSteps {
    /// Puts the picture into the view.
    package let set: @MainActor () -> Void
    /// Makes the app's own changes; ``TransitionContext/current`` is to say how they are animated.
    package let animate: @MainActor () -> Void
    /// Is told once when the transition is over, before ``PresentationSurface/transition(_:to:in:steps:)`` returns if
    /// nobody could see it; false when something else took the picture's place meanwhile. Need not be called for a widget
    /// that goes.
    package let ended: @MainActor (_ finished: Bool) -> Void
}

/// What a picture is to the load that shows it.
package enum PictureRole: Sendable, Hashable {
    /// Not what was asked for: a placeholder, an error picture, nothing.
    case placeholder
    /// A part of the picture, or the one in the cache while it is refreshed.
    case preliminary
    /// The picture.
    case final
    /// The picture as a whole, where the same load has shown something preliminary.
    case completed
    /// The picture, in place of a placeholder that nobody has seen, since the picture was there already: what the view
    /// showed before belongs to another load.
    case immediate
}
