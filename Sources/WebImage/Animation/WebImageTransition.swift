import FoundationEssentials

/// How a picture that a view has loaded takes the place of what the view showed.
///
/// ```swift
/// view.imageTransition = .fade
/// view.imageTransition = .curlUp(duration: 1)
/// ```
/// A value: changing one leaves all others alone. `View` is the toolkit's own kind of view, which the closures get.
public struct WebImageTransition<View>: Sendable {
    /// Runs before the transition, while the view shows its former content.
    public typealias Prepares =
        @MainActor @Sendable (
            _ view: View, _ image: Image?, _ data: Data?, _ cacheType: ImageCacheType, _ imageURL: URL?
        ) -> Void
    /// Makes the changes that are animated; ``TransitionContext/current`` says how.
    public typealias Animations = @MainActor @Sendable (_ view: View, _ image: Image?) -> Void
    /// Runs after the transition; false when something else took the picture's place meanwhile.
    ///
    /// Not at all once the load was cancelled or another one has begun for the same place: nothing of an older load is
    /// called then.
    public typealias Completion = @MainActor @Sendable (_ finished: Bool) -> Void

    /// Whether ``animations`` puts the picture into the view; false by default: the view does so when the transition
    /// begins.
    public var avoidAutoSetImage = false
    /// Runs first; nil by default.
    public var prepares: Prepares?
    /// Runs when the transition begins, after the picture was put into the view; nil by default.
    public var animations: Animations?
    /// Runs at the end; nil by default.
    public var completion: Completion?
    /// Seconds; 0.5 by default. Zero or less changes the picture at once, and so does what is not a finite number.
    public var duration = 0.5
    /// How progress follows time; nil, the default, is slow at both ends.
    public var timingFunction: TimingFunction?
    /// None by default; the presets have ``WebImageAnimationOptions/allowUserInteraction``.
    public var animationOptions: WebImageAnimationOptions = []
    /// What is seen; nil by default: the picture changes at once, and ``animations`` says what else does.
    public var effect: TransitionEffect?

    /// A transition in which nothing moves until something is set.
    public init() {}
}

/// Details of a transition.
public struct WebImageAnimationOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Options of the bits of `rawValue`.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Changes that ``WebImageTransition/animations`` makes to what a view can animate happen gradually.
    public static let allowsImplicitAnimation = WebImageAnimationOptions(rawValue: 1 << 0)
    /// The view gets input while it changes; without it, it gets none until the end.
    public static let allowUserInteraction = WebImageAnimationOptions(rawValue: 1 << 1)
}
