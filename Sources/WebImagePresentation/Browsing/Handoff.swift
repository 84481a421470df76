/// The handoff from a thumbnail to its original, step by step. The thumbnail is on top as a helper, and the page behind
/// it is hidden, until the original is there. Input is held while it is animated.
///
/// Source: "iOS中用动画处理解决跳闪情况" (2018), whose two phases of 0.2 seconds these are. A transition returns what is to be
/// done, in this order.
package struct Handoff: Sendable, Equatable {
    /// The length of each of the two phases, in seconds.
    package static let phaseDuration = 0.2
    /// The opacity at the end of the first phase and at the beginning of the second one.
    package static let dimmed = 0.5

    package enum Phase: Sendable, Hashable {
        /// No helper: the page is visible.
        case none
        /// The helper stands on top, and the original is being loaded.
        case covered
        /// The helper is squeezed and darkens; the number is that of the animation.
        case squeezing(Int)
        /// The page brightens, or fades in.
        case brightening(Int)

        package var isAnimating: Bool {
            switch self {
            case .squeezing, .brightening: true
            case .none, .covered: false
            }
        }
    }

    package enum Event: Sendable, Hashable {
        /// The page is covered by a helper, because the original is not there.
        case open
        /// The original is displayed behind the helper.
        case loaded(HandoffLayout.Swap)
        case failed
        /// The animation of that number has come to its end.
        case animationEnded(Int)
        /// The page is turned, zoomed, closed or resized.
        case cancelled
    }

    package enum Action: Sendable, Hashable {
        /// Squeezes and darkens the helper: from full to dimmed opacity, and from full height to that of the original. The
        /// end state stays.
        case squeeze(Int)
        /// Takes the helper away, as it was at first, and stops the animation.
        case removeHelper
        /// Brightens the page from a reduced opacity to the full one.
        case brighten(Int, from: Double)
    }

    package private(set) var phase = Phase.none
    private var lastAnimation = 0

    package init() {}

    /// Whether the page is covered by the helper.
    package var hidesPage: Bool {
        switch phase {
        case .covered, .squeezing: true
        case .none, .brightening: false
        }
    }

    package mutating func handle(_ event: Event) -> [Action] {
        switch (phase, event) {
        case (_, .open): open()
        case (.covered, .loaded(let swap)): swapIn(swap)
        case (.squeezing(let running), .animationEnded(let ended)) where running == ended:
            [.removeHelper, brighten(from: Self.dimmed)]
        case (.brightening(let running), .animationEnded(let ended)) where running == ended: end()
        case (_, .failed), (_, .cancelled): end()
        case (_, .loaded), (_, .animationEnded): []
        }
    }

    private mutating func open() -> [Action] {
        defer { phase = .covered }
        return end()
    }

    private mutating func swapIn(_ swap: HandoffLayout.Swap) -> [Action] {
        switch swap {
        case .silent: return end()
        case .squeeze:
            let animation = nextAnimation()
            phase = .squeezing(animation)
            return [.squeeze(animation)]
        // The original fades in over the thumbnail.
        case .crossFade: return [brighten(from: 0)]
        }
    }

    private mutating func brighten(from opacity: Double) -> Action {
        let animation = nextAnimation()
        phase = .brightening(animation)
        return .brighten(animation, from: opacity)
    }

    /// Shows the page as it is meant to be, whatever has happened: it is never left hidden.
    private mutating func end() -> [Action] {
        defer { phase = .none }
        return phase == .none ? [] : [.removeHelper]
    }

    private mutating func nextAnimation() -> Int {
        lastAnimation += 1
        return lastAnimation
    }
}
