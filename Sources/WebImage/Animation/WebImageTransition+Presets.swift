extension WebImageTransition {
    /// A transition with `effect`, during which the view gets user input.
    ///
    /// - Parameter duration: Seconds; 0.5 by default.
    public static func custom(_ effect: TransitionEffect, duration: Double = 0.5) -> Self {
        var transition = Self()
        transition.effect = effect
        transition.duration = duration
        transition.animationOptions = .allowUserInteraction
        return transition
    }
}

/// Each is a new value with half a second by default, during which the view gets user input.
extension WebImageTransition {
    /// The new picture fades in over the former one.
    public static var fade: Self { custom(.crossDissolve) }
    /// The new picture fades in over the former one, in `duration` seconds.
    public static func fade(duration: Double) -> Self { custom(.crossDissolve, duration: duration) }

    /// The view turns like a page, its left side towards the viewer.
    public static var flipFromLeft: Self { custom(.flipFromLeft) }
    /// The view turns like a page, its left side towards the viewer, in `duration` seconds.
    public static func flipFromLeft(duration: Double) -> Self { custom(.flipFromLeft, duration: duration) }

    /// The view turns like a page, its right side towards the viewer.
    public static var flipFromRight: Self { custom(.flipFromRight) }
    /// The view turns like a page, its right side towards the viewer, in `duration` seconds.
    public static func flipFromRight(duration: Double) -> Self { custom(.flipFromRight, duration: duration) }

    /// The view turns like a page, its top towards the viewer.
    public static var flipFromTop: Self { custom(.flipFromTop) }
    /// The view turns like a page, its top towards the viewer, in `duration` seconds.
    public static func flipFromTop(duration: Double) -> Self { custom(.flipFromTop, duration: duration) }

    /// The view turns like a page, its bottom towards the viewer.
    public static var flipFromBottom: Self { custom(.flipFromBottom) }
    /// The view turns like a page, its bottom towards the viewer, in `duration` seconds.
    public static func flipFromBottom(duration: Double) -> Self { custom(.flipFromBottom, duration: duration) }

    /// The former picture rolls up from the lower right corner like a page.
    public static var curlUp: Self { custom(.curlUp) }
    /// The former picture rolls up from the lower right corner like a page, in `duration` seconds.
    public static func curlUp(duration: Double) -> Self { custom(.curlUp, duration: duration) }

    /// The new picture unrolls from the upper left corner like a page.
    public static var curlDown: Self { custom(.curlDown) }
    /// The new picture unrolls from the upper left corner like a page, in `duration` seconds.
    public static func curlDown(duration: Double) -> Self { custom(.curlDown, duration: duration) }

    /// The new picture moves in from the left and pushes the former one out.
    public static var pushFromLeft: Self { custom(.pushFromLeft) }
    /// The new picture moves in from the left and pushes the former one out, in `duration` seconds.
    public static func pushFromLeft(duration: Double) -> Self { custom(.pushFromLeft, duration: duration) }

    /// The new picture moves in from the right and pushes the former one out.
    public static var pushFromRight: Self { custom(.pushFromRight) }
    /// The new picture moves in from the right and pushes the former one out, in `duration` seconds.
    public static func pushFromRight(duration: Double) -> Self { custom(.pushFromRight, duration: duration) }

    /// The new picture moves in from the top and pushes the former one out.
    public static var pushFromTop: Self { custom(.pushFromTop) }
    /// The new picture moves in from the top and pushes the former one out, in `duration` seconds.
    public static func pushFromTop(duration: Double) -> Self { custom(.pushFromTop, duration: duration) }

    /// The new picture moves in from the bottom and pushes the former one out.
    public static var pushFromBottom: Self { custom(.pushFromBottom) }
    /// The new picture moves in from the bottom and pushes the former one out, in `duration` seconds.
    public static func pushFromBottom(duration: Double) -> Self { custom(.pushFromBottom, duration: duration) }

    /// The former picture slides down and uncovers the new one.
    public static var revealFromTop: Self { custom(.revealFromTop) }
    /// The former picture slides down and uncovers the new one, in `duration` seconds.
    public static func revealFromTop(duration: Double) -> Self { custom(.revealFromTop, duration: duration) }

    /// The former picture slides up and uncovers the new one.
    public static var revealFromBottom: Self { custom(.revealFromBottom) }
    /// The former picture slides up and uncovers the new one, in `duration` seconds.
    public static func revealFromBottom(duration: Double) -> Self { custom(.revealFromBottom, duration: duration) }

    /// The new picture grows from the centre of the view.
    public static var zoom: Self { custom(.zoom) }
    /// The new picture grows from the centre of the view, in `duration` seconds.
    public static func zoom(duration: Double) -> Self { custom(.zoom, duration: duration) }

    /// The new picture appears blurred and becomes sharp.
    public static var blurToSharp: Self { custom(.blurToSharp) }
    /// The new picture appears blurred and becomes sharp, in `duration` seconds.
    public static func blurToSharp(duration: Double) -> Self { custom(.blurToSharp, duration: duration) }
}
