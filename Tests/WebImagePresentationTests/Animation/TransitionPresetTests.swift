import Testing
import WebImagePresentation

@Suite("Presets of transitions")
struct TransitionPresetTests {
    private typealias Transition = WebImageTransition<Int>

    /// A preset, the same with a duration, and its effect.
    struct Preset: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let standard: @Sendable () -> WebImageTransition<Int>
        let lasting: @Sendable (Duration) -> WebImageTransition<Int>

        init(
            _ effect: String, _ standard: @autoclosure @escaping @Sendable () -> WebImageTransition<Int>,
            _ lasting: @escaping @Sendable (Duration) -> WebImageTransition<Int>
        ) {
            testDescription = effect
            self.standard = standard
            self.lasting = lasting
        }
    }

    static let uiKit = [
        Preset("crossDissolve", .fade, { .fade(duration: $0) }),
        Preset("flipFromLeft", .flipFromLeft, { .flipFromLeft(duration: $0) }),
        Preset("flipFromRight", .flipFromRight, { .flipFromRight(duration: $0) }),
        Preset("flipFromTop", .flipFromTop, { .flipFromTop(duration: $0) }),
        Preset("flipFromBottom", .flipFromBottom, { .flipFromBottom(duration: $0) }),
        Preset("curlUp", .curlUp, { .curlUp(duration: $0) }),
        Preset("curlDown", .curlDown, { .curlDown(duration: $0) }),
    ]
    static let appKit = [
        Preset("pushFromLeft", .pushFromLeft, { .custom(.pushFromLeft, duration: $0) }),
        Preset("pushFromRight", .pushFromRight, { .custom(.pushFromRight, duration: $0) }),
        Preset("pushFromTop", .pushFromTop, { .custom(.pushFromTop, duration: $0) }),
        Preset("pushFromBottom", .pushFromBottom, { .custom(.pushFromBottom, duration: $0) }),
        Preset("revealFromTop", .revealFromTop, { .custom(.revealFromTop, duration: $0) }),
        Preset("revealFromBottom", .revealFromBottom, { .custom(.revealFromBottom, duration: $0) }),
    ]
    static let others = [
        Preset("zoom", .zoom, { .custom(.zoom, duration: $0) }),
        Preset("blurToSharp", .blurToSharp, { .custom(.blurToSharp, duration: $0) }),
    ]

    @Test("TRN-6 S1-11 each preset shows its own effect, lasts half a second, and is a new value", arguments: uiKit)
    func uiKitPresets(preset: Preset) { check(preset) }

    @Test(
        "TRN-7 B22 S1-13 AppKit's presets are effects of their own, each from the named side",
        arguments: appKit + others)
    func appKitPresets(preset: Preset) { check(preset) }

    private func check(_ preset: Preset) {
        let transition = preset.standard()
        #expect(transition.effect?.name == preset.testDescription)
        #expect(transition.duration == .seconds(0.5))
        #expect(preset.lasting(.seconds(2.5)).effect?.name == preset.testDescription)
        #expect(transition.prepares == nil && transition.animations == nil && transition.completion == nil)
        #expect(!transition.avoidAutoSetImage && transition.timingFunction == .easeInEaseOut)
        var changed = preset.standard()
        changed.duration = .seconds(9)
        changed.avoidAutoSetImage = true
        #expect(preset.standard().duration == .seconds(0.5) && !preset.standard().avoidAutoSetImage)
    }

    @Test(
        "S1-12 S4-7 every preset leaves the view alive to the user, and animates what the app changes",
        arguments: uiKit + appKit + others)
    func interaction(preset: Preset) {
        let options: WebImageAnimationOptions = [.allowUserInteraction, .allowsImplicitAnimation]
        #expect(preset.standard().animationOptions == options)
        #expect(preset.lasting(.seconds(1)).animationOptions == options)
    }

    @Test("A90 S1-15 a preset has the requested duration, also when it is changed afterwards")
    func durations() {
        for preset in Self.uiKit + Self.appKit + Self.others {
            var transition = preset.lasting(.seconds(1.25))
            #expect(transition.duration == .seconds(1.25))
            transition.duration = .seconds(3)
            #expect(transition.duration == .seconds(3))
        }
    }

    @Test("TRN-5 S1-7 a new transition lasts half a second and does nothing else")
    func plain() {
        let transition = Transition()
        #expect(transition.duration == .seconds(0.5))
        #expect(transition.effect == nil && transition.animationOptions == [])
        #expect(transition.timingFunction == .easeInEaseOut)
    }

    @Test("S1-4 the options have SDWebImage's bit for implicit animation")
    func options() {
        #expect(WebImageAnimationOptions.allowsImplicitAnimation.rawValue == 1)
        #expect(WebImageAnimationOptions.allowUserInteraction.isDisjoint(with: .allowsImplicitAnimation))
    }

    @Test("an app's own effect becomes a transition")
    func custom() {
        let own = TransitionEffect("own") { _, scene in [TransitionLayer(.new, source: scene.bounds)] }
        let transition = Transition.custom(own, duration: .seconds(2))
        #expect(transition.effect?.name == "own" && transition.duration == .seconds(2))
        #expect(transition.animationOptions == [.allowUserInteraction, .allowsImplicitAnimation])
    }

    @Test("every effect has a preset, and is found by its name")
    func names() {
        let presets = Self.uiKit + Self.appKit + Self.others
        #expect(TransitionEffect.all.map(\.name).sorted() == presets.map(\.testDescription).sorted())
        for effect in TransitionEffect.all {
            #expect(TransitionEffect.named(effect.name)?.name == effect.name)
            #expect(TransitionEffect.named(effect.name.uppercased())?.name == effect.name)
        }
        #expect(TransitionEffect.named("") == nil && TransitionEffect.named("flip") == nil)
    }
}
