import Testing
import WebImagePresentation

@Suite("When the controls of a browser are visible")
struct ControlsVisibilityTests {
    @Test("MW-11 they hide after their delay, and never without one")
    func delay() {
        var controls = ControlsVisibility()
        controls.show(at: .seconds(1), for: .seconds(5))
        controls.pass(to: .seconds(5.9))
        #expect(controls.isVisible)
        controls.pass(to: .seconds(6))
        #expect(!controls.isVisible && controls.deadline == nil)
        controls.show(at: .seconds(7), for: nil)
        controls.pass(to: .seconds(7000))
        #expect(controls.isVisible)
    }

    @Test("MW-35 a drag or a zoom holds the time, and its end begins it anew")
    func held() {
        var controls = ControlsVisibility()
        controls.show(at: .zero, for: .seconds(5))
        controls.holdTimer()
        controls.pass(to: .seconds(100))
        #expect(controls.isVisible)
        controls.restartTimer(at: .seconds(100), for: .seconds(5))
        #expect(controls.deadline == .seconds(105))
        controls.hide()
        controls.restartTimer(at: .seconds(200), for: .seconds(5))
        #expect(controls.deadline == nil && !controls.isVisible)
    }

    @Test("MW-6 MW-37 pinned controls are shown, and nothing hides them")
    func pinned() {
        var controls = ControlsVisibility()
        controls.hide()
        controls.isPinned = true
        #expect(controls.isVisible)
        controls.hide()
        controls.show(at: .zero, for: .seconds(5))
        controls.pass(to: .seconds(100))
        #expect(controls.isVisible)
    }

    @Test("MW-37 they fade and slide by 20 points, in 0.35 seconds")
    func lengths() {
        #expect(ControlsVisibility.fadeDuration == 0.35 && ControlsVisibility.slide == 20)
    }
}
