extension WebImageTransition {
    /// A transition with `effect`, during which the view gets user input, and which animates the changes that
    /// ``animations`` makes to the view.
    ///
    /// - Parameter duration: Half a second by default.
    public static func custom(_ effect: TransitionEffect, duration: Duration = .seconds(0.5)) -> Self {
        var transition = Self()
        transition.effect = effect
        transition.duration = duration
        transition.animationOptions = [.allowUserInteraction, .allowsImplicitAnimation]
        return transition
    }
}

/// Each is a new value with half a second, during which the view gets user input. The closures of the app run with it:
/// what ``prepares`` has changed and ``animations`` changes back is animated together with the effect, as in UIKit.
/// ``custom(_:duration:)`` has other durations for all effects.
extension WebImageTransition {
    /// The new picture fades in over the former one.
    public static var fade: Self { custom(.crossDissolve) }
    /// The new picture fades in over the former one, in `duration`.
    public static func fade(duration: Duration) -> Self { custom(.crossDissolve, duration: duration) }

    /// The view turns like a page, its left side towards the viewer.
    public static var flipFromLeft: Self { custom(.flipFromLeft) }
    /// The view turns like a page, its left side towards the viewer, in `duration`.
    public static func flipFromLeft(duration: Duration) -> Self { custom(.flipFromLeft, duration: duration) }

    /// The view turns like a page, its right side towards the viewer.
    public static var flipFromRight: Self { custom(.flipFromRight) }
    /// The view turns like a page, its right side towards the viewer, in `duration`.
    public static func flipFromRight(duration: Duration) -> Self { custom(.flipFromRight, duration: duration) }

    /// The view turns like a page, its top towards the viewer.
    public static var flipFromTop: Self { custom(.flipFromTop) }
    /// The view turns like a page, its top towards the viewer, in `duration`.
    public static func flipFromTop(duration: Duration) -> Self { custom(.flipFromTop, duration: duration) }

    /// The view turns like a page, its bottom towards the viewer.
    public static var flipFromBottom: Self { custom(.flipFromBottom) }
    /// The view turns like a page, its bottom towards the viewer, in `duration`.
    public static func flipFromBottom(duration: Duration) -> Self { custom(.flipFromBottom, duration: duration) }

    /// The former picture rolls up from the lower right corner like a page.
    public static var curlUp: Self { custom(.curlUp) }
    /// The former picture rolls up from the lower right corner like a page, in `duration`.
    public static func curlUp(duration: Duration) -> Self { custom(.curlUp, duration: duration) }

    /// The new picture unrolls from the upper left corner like a page.
    public static var curlDown: Self { custom(.curlDown) }
    /// The new picture unrolls from the upper left corner like a page, in `duration`.
    public static func curlDown(duration: Duration) -> Self { custom(.curlDown, duration: duration) }

    /// The new picture moves in from the left and pushes the former one out.
    public static var pushFromLeft: Self { custom(.pushFromLeft) }

    /// The new picture moves in from the right and pushes the former one out.
    public static var pushFromRight: Self { custom(.pushFromRight) }

    /// The new picture moves in from the top and pushes the former one out.
    public static var pushFromTop: Self { custom(.pushFromTop) }

    /// The new picture moves in from the bottom and pushes the former one out.
    public static var pushFromBottom: Self { custom(.pushFromBottom) }

    /// The former picture slides down and uncovers the new one.
    public static var revealFromTop: Self { custom(.revealFromTop) }

    /// The former picture slides up and uncovers the new one.
    public static var revealFromBottom: Self { custom(.revealFromBottom) }

    /// The new picture grows from the centre of the view.
    public static var zoom: Self { custom(.zoom) }

    /// The new picture appears blurred and becomes sharp.
    public static var blurToSharp: Self { custom(.blurToSharp) }
}
