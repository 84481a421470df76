import Testing
import WebImageCore

@testable import WebImagePresentation

@Suite struct AnimationTimelineTests {
    private typealias Frame = AnimationTimeline.Frame

    @Test("C8 the first frame shows the beginning, however late it comes")
    func firstFrame() {
        var timeline = AnimationTimeline(duration: 0.85, timing: .linear)
        #expect(timeline.frame(at: 123_456_789) == Frame(progress: 0, isLast: false))
    }

    @Test("S0-18 a fade is half way at 425 ms and over at 850 ms")
    func fade() {
        let fade = FadeTransition()
        var timeline = AnimationTimeline(duration: fade.duration.seconds, timing: fade.timing)
        _ = timeline.frame(at: 1_000_000)
        let middle = timeline.frame(at: 1_425_000)
        #expect(abs(middle.progress - 0.5) < 1e-6)
        #expect(!middle.isLast)
        #expect(!timeline.frame(at: 1_849_999).isLast)
        #expect(timeline.frame(at: 1_850_000) == Frame(progress: 1, isLast: true))
    }

    @Test("a frame that comes after the end shows the end")
    func lateFrame() {
        var timeline = AnimationTimeline(duration: 0.1, timing: .linear)
        _ = timeline.frame(at: 0)
        #expect(timeline.frame(at: 60_000_000) == Frame(progress: 1, isLast: true))
    }

    @Test("no duration, or one without an end, ends on the first frame", arguments: [0, -1, .nan, .infinity])
    func noDuration(duration: Double) {
        var timeline = AnimationTimeline(duration: duration, timing: .linear)
        #expect(timeline.frame(at: 5) == Frame(progress: 1, isLast: true))
    }

    @Test("a clock that steps backwards does not go before the beginning")
    func backwards() {
        var timeline = AnimationTimeline(duration: 1, timing: .linear)
        _ = timeline.frame(at: 1_000_000)
        #expect(timeline.frame(at: 500_000) == Frame(progress: 0, isLast: false))
    }
}
