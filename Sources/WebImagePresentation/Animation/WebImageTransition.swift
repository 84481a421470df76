import FoundationEssentials
import WebImageCore

/// The transition of a view to a loaded picture.
///
/// ```swift
/// view.imageTransition = .fade
/// view.imageTransition = .curlUp(duration: .seconds(1))
/// ```
/// A value: changing one does not affect others. `View` is the toolkit's type of view, which the closures get.
public struct WebImageTransition<View>: Sendable {
    /// Runs before the transition, while the view shows its former content.
    public typealias Prepares =
        @MainActor @Sendable (
            _ view: View, _ image: Image?, _ data: Data?, _ cacheType: ImageCacheType, _ imageURL: URL?
        ) -> Void
    /// Makes the changes that are animated; ``TransitionContext/current`` describes the animation.
    public typealias Animations = @MainActor @Sendable (_ view: View, _ image: Image?) -> Void
    /// Runs after the transition; `finished` is false when the app has set another picture on the view meanwhile.
    ///
    /// Not called once the load was cancelled or another one has begun for the same place: no closure of an older load
    /// is called then.
    public typealias Completion = @MainActor @Sendable (_ finished: Bool) -> Void

    /// Whether ``animations`` sets the picture on the view; false by default: the view sets it when the transition
    /// begins.
    public var avoidAutoSetImage = false
    /// Runs first; nil by default.
    public var prepares: Prepares?
    /// Runs when the transition begins, after the picture was set; nil by default.
    public var animations: Animations?
    /// Runs at the end; nil by default.
    public var completion: Completion?
    /// Half a second by default. With zero or a negative value the picture changes at once.
    public var duration = Duration.seconds(0.5)
    /// The curve from time to progress; by default with ease in and out.
    public var timingFunction = TimingFunction.easeInEaseOut
    /// None by default; the presets have ``WebImageAnimationOptions/allowUserInteraction`` and
    /// ``WebImageAnimationOptions/allowsImplicitAnimation``.
    public var animationOptions: WebImageAnimationOptions = []
    /// The effect; nil by default: the picture changes at once, and only ``animations`` moves anything.
    public var effect: TransitionEffect?

    /// A transition without an effect and without closures.
    public init() {}
}

/// Details of a transition.
public struct WebImageAnimationOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Options with these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Animates the changes that ``WebImageTransition/animations`` makes to animatable properties of a view: its alpha
    /// and its transform. Without it they show at once.
    public static let allowsImplicitAnimation = WebImageAnimationOptions(rawValue: 1 << 0)
    /// The view gets user input during the transition; otherwise it gets none until the end.
    public static let allowUserInteraction = WebImageAnimationOptions(rawValue: 1 << 1)
}
