/// The handoff from a thumbnail to its original, step by step. The thumbnail is on top as a helper, and the page behind
/// it is hidden, until the original is there.
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
        /// The page is opened: without a helper where the original is there.
        case open(isOriginalThere: Bool)
        /// The original is displayed behind the helper.
        case loaded(HandoffLayout.Swap)
        case failed
        /// An animation has ended: `isFinished` is false when it was interrupted.
        case animationEnded(Int, isFinished: Bool)
        /// The page is turned, zoomed, closed or resized.
        case cancelled
    }

    package enum Action: Sendable, Hashable {
        case addHelper
        case hidePage
        /// From full to dimmed opacity, and from full height to that of the original. The end state stays.
        case squeezeHelper(Int)
        case resetHelper
        case removeHelper
        case removeHelperAnimations
        case showPage
        /// From a reduced opacity to the full one.
        case brightenPage(Int, from: Double)
        case finishPage
        case holdInput
        case releaseInput
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
        case (_, .open(let isOriginalThere)): open(isOriginalThere)
        case (.covered, .loaded(let swap)): swapIn(swap)
        case (.squeezing(let running), .animationEnded(let ended, let isFinished)) where running == ended:
            isFinished ? brighten(from: Self.dimmed) : end()
        case (.brightening(let running), .animationEnded(let ended, _)) where running == ended: end()
        case (.covered, .failed), (.covered, .cancelled), (.squeezing, .failed), (.squeezing, .cancelled),
            (.brightening, .failed), (.brightening, .cancelled):
            end()
        case (.none, _), (.covered, .animationEnded), (.squeezing, _), (.brightening, _): []
        }
    }

    private mutating func open(_ isOriginalThere: Bool) -> [Action] {
        let former = end()
        guard !isOriginalThere else { return former }
        phase = .covered
        return former + [.hidePage, .addHelper]
    }

    private mutating func swapIn(_ swap: HandoffLayout.Swap) -> [Action] {
        switch swap {
        case .silent: return end()
        case .squeeze:
            let animation = nextAnimation()
            phase = .squeezing(animation)
            return [.holdInput, .squeezeHelper(animation)]
        case .crossFade: return [.holdInput] + brighten(from: 0)
        }
    }

    private mutating func brighten(from opacity: Double) -> [Action] {
        let animation = nextAnimation()
        phase = .brightening(animation)
        // The original fades in over the thumbnail, or after it.
        let helper: [Action] = opacity > 0 ? [.resetHelper, .removeHelper, .removeHelperAnimations] : []
        return helper + [.showPage, .brightenPage(animation, from: opacity)]
    }

    /// Shows the page as it is meant to be, whatever has happened: it is never left hidden.
    private mutating func end() -> [Action] {
        defer { phase = .none }
        switch phase {
        case .none: return []
        case .covered: return [.resetHelper, .removeHelper, .removeHelperAnimations, .showPage]
        case .squeezing:
            return [.resetHelper, .removeHelper, .removeHelperAnimations, .showPage, .finishPage, .releaseInput]
        case .brightening:
            return [.resetHelper, .removeHelper, .removeHelperAnimations, .finishPage, .releaseInput]
        }
    }

    private mutating func nextAnimation() -> Int {
        lastAnimation += 1
        return lastAnimation
    }
}
