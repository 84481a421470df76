import Testing
import WebImagePresentation

@testable import WebImageTestDoubles

@Suite("The handoff from a thumbnail to its original")
struct HandoffTests {
    /// A handoff in which the thumbnail is shown.
    private func covered() -> Handoff {
        var handoff = Handoff()
        _ = handoff.handle(.open)
        return handoff
    }

    private func squeezing() -> Handoff {
        var handoff = covered()
        _ = handoff.handle(.loaded(.squeeze))
        return handoff
    }

    @Test("S2-10 the page is hidden while the thumbnail is on top, until the handoff")
    func hidden() {
        var handoff = Handoff()
        #expect(handoff.handle(.open).isEmpty)
        #expect(handoff.phase == .covered && handoff.hidesPage)
        _ = handoff.handle(.loaded(.squeeze))
        #expect(handoff.hidesPage)
    }

    @Test(
        "S2-7 S2-11 when the original is there, the thumbnail is squeezed and darkens at once, in one animation of 0.2 s"
    )
    func firstPhase() {
        var handoff = covered()
        #expect(handoff.handle(.loaded(.squeeze)) == [.squeeze(1)])
        #expect(handoff.phase == .squeezing(1))
        #expect(Handoff.phaseDuration == 0.2 && Handoff.dimmed == 0.5)
    }

    @Test("S2-12 nothing resets the thumbnail between the two phases")
    func noSnapBack() {
        var handoff = covered()
        let first = handoff.handle(.loaded(.squeeze))
        let second = handoff.handle(.animationEnded(1))
        #expect(!first.contains(.removeHelper) && second.first == .removeHelper)
    }

    @Test("S2-7 S2-14 the second phase: the thumbnail is reset and removed, the page appears, and brightens from 0.5")
    func secondPhase() {
        var handoff = squeezing()
        #expect(handoff.handle(.animationEnded(1)) == [.removeHelper, .brighten(2, from: 0.5)])
        #expect(!handoff.hidesPage)
    }

    @Test("S2-13 only the end of the animation that runs begins the second phase")
    func identity() {
        var handoff = squeezing()
        #expect(handoff.handle(.animationEnded(7)).isEmpty && handoff.phase == .squeezing(1))
    }

    @Test("S2-15 after the end the thumbnail is as before, no animation is left, and a handoff can begin anew")
    func reusable() {
        var handoff = squeezing()
        _ = handoff.handle(.animationEnded(1))
        #expect(handoff.handle(.animationEnded(2)) == [.removeHelper] && handoff.phase == .none)
        #expect(handoff.handle(.open).isEmpty)
        #expect(handoff.handle(.loaded(.squeeze)) == [.squeeze(3)])
    }

    @Test(
        "S2-16 an interruption in any phase ends with the page visible, the thumbnail removed and input allowed",
        arguments: [Handoff.Event.cancelled, .failed])
    func interrupted(by event: Handoff.Event) {
        var brightening = squeezing()
        _ = brightening.handle(.animationEnded(1))
        for start in [covered(), squeezing(), brightening] {
            var handoff = start
            #expect(handoff.handle(event) == [.removeHelper])
            #expect(handoff.phase == .none && !handoff.hidesPage)
            #expect(handoff.handle(event).isEmpty)
        }
    }

    @Test("S2-17 a failed load squeezes nothing: the thumbnail goes, and the page shows the failure")
    func failed() {
        var handoff = covered()
        #expect(handoff.handle(.failed) == [.removeHelper])
        #expect(!handoff.hidesPage)
    }

    @Test("S2-20 input is held from the first phase to the end of the second one, 0.4 seconds in all")
    func input() {
        var handoff = squeezing()
        #expect(handoff.phase.isAnimating)
        _ = handoff.handle(.animationEnded(1))
        #expect(handoff.phase.isAnimating)
        _ = handoff.handle(.animationEnded(2))
        #expect(!handoff.phase.isAnimating)
        #expect(2 * Handoff.phaseDuration == 0.4)
    }

    @Test("S2-21 nothing happens where the original is there: no thumbnail covers the page")
    func cached() {
        var handoff = Handoff()
        #expect(handoff.handle(.loaded(.squeeze)).isEmpty && !handoff.hidesPage)
        #expect(handoff.phase == .none)
    }

    @Test("S2-4 where the two look the same, the original replaces the thumbnail unseen")
    func silent() {
        var handoff = covered()
        #expect(handoff.handle(.loaded(.silent)) == [.removeHelper])
        #expect(handoff.phase == .none)
    }

    @Test("S2-19 other proportions cross-fade: the original fades in over its thumbnail")
    func crossFade() {
        var handoff = covered()
        #expect(handoff.handle(.loaded(.crossFade)) == [.brighten(1, from: 0)])
        #expect(!handoff.hidesPage)
        #expect(handoff.handle(.animationEnded(1)) == [.removeHelper])
    }

    @Test("a random schedule of events never leaves the page hidden after its end", arguments: 0..<20)
    func schedule(seed: UInt64) {
        var random = SplitMix(state: seed)
        var handoff = Handoff()
        var scene = HandoffScene()
        for _ in 0..<300 {
            let events: [Handoff.Event] = [
                .open, .loaded(.squeeze), .loaded(.silent), .loaded(.crossFade), .failed, .cancelled,
                .animationEnded(scene.animation), .animationEnded(.random(in: 0..<9, using: &random)),
            ]
            let event = events.randomElement(using: &random) ?? .failed
            scene.apply(handoff.handle(event))
            if event == .open { scene.hasHelper = true }
            #expect(scene.hasHelper || !handoff.hidesPage)
            #expect(scene.isAnimated == handoff.phase.isAnimating)
        }
        scene.apply(handoff.handle(.cancelled))
        #expect(scene == HandoffScene(animation: scene.animation) && !handoff.hidesPage)
    }
}

/// A page after the actions of a handoff.
private struct HandoffScene: Equatable {
    var hasHelper = false
    var isAnimated = false
    var animation = 0

    mutating func apply(_ actions: [Handoff.Action]) {
        for action in actions { apply(action) }
    }

    private mutating func apply(_ action: Handoff.Action) {
        switch action {
        case .squeeze(let number), .brighten(let number, _):
            animation = number
            isAnimated = true
        case .removeHelper:
            hasHelper = false
            isAnimated = false
        }
    }
}
